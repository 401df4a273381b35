// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/change/our_lines.h"

#include <algorithm>
#include <iterator>
#include <regex>
#include <sstream>

#include "halftone/look/settings.h"

namespace halftoned {
namespace {

constexpr char kOptions[] =
#include "options.inc"
    ;

// The start of the lines of kOptions that are English translations.
constexpr std::string_view kInEnglish = "*en_GB.";

std::string WithEol(std::string_view lines, std::string_view eol) {
  std::string text;
  for (char c : lines) {
    if (c == '\n') {
      text += eol;
    } else {
      text += c;
    }
  }
  return text;
}

// The languages that the file declares. If it declares none, all of ours, which
// do no harm.
std::vector<std::string> LanguagesOf(const PpdFile& ppd) {
  std::vector<std::string> languages;
  for (const std::string& value : ppd.ValuesOf("cupsLanguages")) {
    std::istringstream words(value);
    std::copy(std::istream_iterator<std::string>(words), {},
              std::back_inserter(languages));
  }
  return languages;
}

bool IsOurs(const std::string& language) {
  const std::string options = kOptions;
  return language.starts_with("en") ||
         options.find("\n*" + language.substr(0, 2) + ".") != options.npos;
}

// Each declared language needs a translation of every option. Languages that we
// do not have get the English text.
std::string OptionsIn(const std::vector<std::string>& languages) {
  std::string text;
  std::istringstream options(kOptions);
  for (std::string line; std::getline(options, line);) {
    if (!line.starts_with(kInEnglish)) {
      text += line + "\n";
      continue;
    }
    for (const std::string& language : languages) {
      if (IsOurs(language)) continue;
      text += "*" + language + "." + line.substr(kInEnglish.size()) + "\n";
    }
  }
  return text;
}

// With any printer code, foomatic-rip would convert PDF to PostScript. Its
// command line does not ask for raster anyway.
std::string WithoutCode(const std::string& lines) {
  return std::regex_replace(lines, std::regex("\"<<[^\"]*\""), "\"\"");
}

}  // namespace

std::string OurLines(const PpdFile& ppd, const std::vector<FilterLine>& filters,
                     const RasterDriver& driver, std::string_view eol) {
  std::string lines(kBegins);
  lines += "; `halftone release` undoes the whole adoption\n";
  lines.append("*halftonedOutput: \"").append(driver.output).append("\"\n");
  if (driver.is_without) {
    lines += std::string("*cupsFilter2: \"") + kCupsPdf + " " + kPwgRaster +
             " 105 " + kOurPdfFilter + "\"\n";
  }
  if (driver.is_thermal) {
    constexpr std::string_view kOption = SettingNamed("technology").keyword;
    lines += "*" + std::string(kOption) + ": \"thermal\"\n";
  }
  const std::string options = OptionsIn(LanguagesOf(ppd));
  const bool is_for_ghostscript =
      std::ranges::any_of(filters, &FilterLine::is_for_ghostscript);
  lines += is_for_ghostscript ? WithoutCode(options) : options;
  lines += kEnds;
  return WithEol(lines + "\n", eol);
}

std::string OurOptions() { return OptionsIn({}); }

}  // namespace halftoned
