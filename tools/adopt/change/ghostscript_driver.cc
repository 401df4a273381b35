// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/change/ghostscript_driver.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "adopt/ppd/statements.h"
#include "base/text.h"
#include "print/render/devices.h"

namespace halftoned {
namespace {

// The command-line keywords for PostScript and for PDF begin with this.
constexpr std::string_view kFoomaticLine = "FoomaticRIPCommandLine";
constexpr std::string_view kOptionSetting = "FoomaticRIPOptionSetting";
constexpr std::string_view kDevice = "-sDEVICE=";

// Programs that call Ghostscript for foomatic-rip, with pbmraw unless they are
// told to print in color.
constexpr std::string_view kWrappers[] = {
    "foo2ddst-wrapper", "foo2hbpl2-wrapper", "foo2oak-wrapper",
    "foo2qpdl-wrapper", "foo2xqx-wrapper",   "foo2zjs-wrapper"};

// A line that ends in && continues on the next line.
std::string Joined(std::string_view value) {
  std::string text;
  for (size_t at = 0; at < value.size(); ++at) {
    if (value.substr(at).starts_with("&&\r\n")) {
      at += 3;
    } else if (value.substr(at).starts_with("&&\n")) {
      at += 2;
    } else {
      text += value[at];
    }
  }
  return text;
}

void AddDevices(std::string_view text, std::vector<std::string>& devices) {
  for (size_t at = text.find(kDevice); at != text.npos;
       at = text.find(kDevice, at + 1)) {
    const std::string_view rest = text.substr(at + kDevice.size());
    const auto end = std::ranges::find_if_not(
        rest, [](unsigned char c) { return std::isalnum(c) != 0; });
    devices.emplace_back(rest.begin(), end);
  }
}

// Whether `word` occurs as a separate word, like the name of a program.
bool HasWord(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != text.npos;
       at = text.find(word, at + 1)) {
    const std::string_view rest = text.substr(at + word.size());
    const bool begins = at == 0 || std::string_view(" (;|&\n").find(
                                       text[at - 1]) != std::string_view::npos;
    if (begins && (rest.empty() || rest.front() == ' ')) return true;
  }
  return false;
}

// Whether the command line sets the format of the device `cups`. Otherwise the
// device produces 1-bit black.
bool ChoosesRaster(std::string_view text) {
  return text.find("cupsBitsPerColor") != text.npos ||
         text.find("cupsColorSpace") != text.npos;
}

// Whether our program is called in place of Ghostscript, and knows all devices.
Result<void> CheckCommand(std::string_view text, const std::string& command,
                          const std::vector<std::string>& devices) {
  if (std::ranges::any_of(kWrappers, [&](std::string_view wrapper) {
        return HasWord(command, wrapper);
      })) {
    return {};
  }
  if (command.find("/gs ") != command.npos) {
    return BadInput(
        "it calls Ghostscript by its path, so halftone-rip cannot replace it");
  }
  if (!HasWord(command, "gs")) {
    return BadInput(
        "its printer accepts PostScript or PDF, and halftones itself");
  }
  if (devices.empty()) {
    return BadInput("it does not name Ghostscript's device");
  }
  for (const std::string& device : devices) {
    const bool prints_dots = DeviceNamed(device).kind == DeviceKind::kDots &&
                             (device != "cups" || !ChoosesRaster(text));
    if (prints_dots) continue;
    return BadInput("it prints through Ghostscript's device " +
                    Printable(device) + ", which might change dots");
  }
  return {};
}

}  // namespace

Result<RasterDriver> GhostscriptDriverOf(std::string_view ppd) {
  std::vector<std::string> commands;
  std::vector<std::string> devices;
  for (const Statement& statement : SplitStatements(ppd)) {
    if (statement.keyword == "ColorDevice" &&
        LowerCase(statement.value).starts_with("true")) {
      return BadInput("its printer prints in color");
    }
    const bool is_command = statement.keyword.starts_with(kFoomaticLine);
    if (!is_command && statement.keyword != kOptionSetting) continue;
    const std::string value = Joined(statement.value);
    if (is_command) commands.push_back(value);
    AddDevices(value, devices);
  }
  if (commands.empty()) return BadInput("it has no FoomaticRIPCommandLine");
  RasterDriver driver{.output = "cups-raster"};
  for (const std::string& command : commands) {
    HALFTONED_TRY(CheckCommand(ppd, command, devices));
    driver.is_thermal |= HasWord(command, "rastertoptch");
  }
  return driver;
}

}  // namespace halftoned
