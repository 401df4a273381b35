// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/our_lines.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace halftoned {
namespace {

constexpr char kOptions[] =
#include "options.inc"
    ;

// How lines of kOptions begin that are translations into English.
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

// The languages that the file says it has. Where it says none, ours do no harm.
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

// A language that the file says it has must have a word for all of its options:
// of those that we do not speak, the English one.
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

}  // namespace

std::string OurLines(const PpdFile& ppd, const std::vector<FilterLine>& filters,
                     std::string_view eol) {
  std::string lines(kBegins);
  lines += "; `halftone release` takes away what adoption has changed\n";
  lines += "*halftonedOutput: \"cups-raster\"\n";
  if (std::any_of(filters.begin(), filters.end(), [](const auto& filter) {
        return filter.names_program("rastertolabel");
      })) {
    lines += "*halftonedTechnology: \"thermal\"\n";
  }
  lines += OptionsIn(LanguagesOf(ppd));
  lines += kEnds;
  return WithEol(lines + "\n", eol);
}

}  // namespace halftoned
