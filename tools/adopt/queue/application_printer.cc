// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/queue/application_printer.h"

#include <cups/cups.h>
#include <cups/pwg.h>
#include <unistd.h>

#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "adopt/ppd/memory_file.h"
#include "check/places.h"
#include "check/run_program.h"
#include "halftone/look/settings.h"

namespace halftoned {
namespace {

using Values = std::map<std::string, std::string>;

constexpr const PrintSetting& kTechnology = SettingNamed("technology");

// The application's output.
Result<std::string> Run(std::vector<std::string> words) {
  constexpr int kSilentSeconds = 30;
  words.insert(words.begin(), Places::Find().printer_app());
  HALFTONED_TRY_ASSIGN(const Outcome run, RunProgram(words, kSilentSeconds));
  if (run.is_late) return IoError("halftone-printer-app does not reply");
  if (run.status == 0) return run.out;
  const std::string said = run.errors.substr(0, run.errors.find('\n'));
  return Unavailable(said.empty() ? "halftone-printer-app has failed" : said);
}

Values ValuesIn(const std::string& answer) {
  Values values;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    if (equals == line.npos) continue;
    values.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return values;
}

// Our options' defaults.
Values DefaultsIn(const Values& attributes) {
  constexpr std::string_view kEnd = "-default";
  Values defaults;
  for (const auto& [name, value] : attributes) {
    if (!name.starts_with("halftone-") || !name.ends_with(kEnd)) continue;
    defaults.emplace(name.substr(0, name.size() - kEnd.size()), value);
  }
  return defaults;
}

// The settings that a PPD file would state.
Queue::Values PpdOf(Values& attributes) {
  Queue::Values ppd = {
      {"halftonedOutput", "pwg-raster"},  // two levels
      {"DefaultResolution", attributes["printer-resolution-default"]}};
  const std::string& technology = attributes["halftone-technology"];
  if (!technology.empty()) ppd.emplace(kTechnology.keyword, technology);
  return ppd;
}

PageSize SizeOf(const std::string& media) {
  constexpr double kPoint = 2540.0 / 72;  // in 1/100 mm
  const pwg_media_t* size = pwgMediaForPWG(media.c_str());
  if (!size) return {};
  return {size->width / kPoint, size->length / kPoint};
}

}  // namespace

bool HasApplication() { return Exists(Places::Find().printer_app()); }

Result<NamedQueue> FindApplicationPrinter(const std::string& name) {
  HALFTONED_TRY_ASSIGN(const std::string answer, Run({"attributes", name}));
  Values attributes = ValuesIn(answer);
  NamedQueue found;
  found.name = name;
  found.driver = attributes["printer-make-and-model"];
  found.options = DefaultsIn(attributes);
  found.queue = Queue::FromValues(
      PpdOf(attributes), {found.options.begin(), found.options.end()}, name);
  found.size = SizeOf(attributes["media-default"]);
  found.is_of_application = true;
  return found;
}

Result<std::string> PrintOnApplication(const std::string& name,
                                       const std::string& title,
                                       const Values& options,
                                       const std::string& document) {
  HALFTONED_TRY_ASSIGN(const Descriptor file, MemoryFile(document));
  std::vector<std::string> words = {"print", name, title,
                                    "/proc/" + std::to_string(::getpid()) +
                                        "/fd/" + std::to_string(file.get())};
  for (const auto& [option, value] : options) {
    words.push_back(option + "=" + value);
  }
  HALFTONED_TRY_ASSIGN(const std::string said, Run(std::move(words)));
  return said.substr(0, said.find('\n'));
}

}  // namespace halftoned
