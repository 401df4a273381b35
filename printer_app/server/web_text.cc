// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/web_text.h"

#include <map>
#include <regex>
#include <sstream>
#include <utility>

#include "config/tone_check.h"
#include "printer_app/jobs/print_options.h"

namespace halftoned {
namespace {

// The options of ppd/halftoned.drv as lines of a PPD file, with translations;
// empty if the filter is not built.
constexpr char kOptionLines[] =
#include "options.inc"
    ;

// The text above a page's form, by the end of the page's address.
constexpr std::pair<const char*, const char*> kPageHelp[] = {
    {"/addprinter",
     "<p>If the list of devices lacks your printer, choose <b>Network "
     "Printer</b> and type its name or address, with a colon and the port if "
     "that is not 9100. The driver is the language that the printer speaks: "
     "most black lasers speak PCL 5e. If <b>Auto-Detect Driver</b> finds none, "
     "choose it by hand.</p>"},
    {"/printing",
     "<p>These defaults apply to jobs without settings of their own. "
     "Automatic selects what suits the printer.</p>"
     "<ul><li><b>Halftone</b>: how dots are arranged. Choose clustered dots or "
     "a "
     "screen if a laser prints blotchy tints. None is for bar codes and "
     "labels; it prints no tints.</li>"
     "<li><b>Text edges</b>: which gray edges, between black and white, "
     "become sharp.</li>"
     "<li><b>Toner saving</b> lightens tints and pictures; black text stays "
     "black.</li>"
     "<li><b>Dot gain correction</b>: how much the printer darkens the middle "
     "tones; more correction prints lighter.</li></ul>"},
    {"/media", "<p>Select the paper that is in the printer.</p>"},
};

// The names of an option (with an empty choice) and of its choices in a PPD
// file, by language, keyword and choice.
using Labels = std::map<std::string, std::string>;

std::string KeyOf(std::string_view language, std::string_view keyword,
                  std::string_view choice) {
  std::string key(language);
  key.append("/").append(keyword).append("/").append(choice);
  return key;
}

Labels LabelsOf(const char* lines) {
  const std::regex form(
      R"re(\*(?:(\w\w)\.)?(?:OpenUI \*|Translation )?(\w+)(?: ([^/: ]+))?/(.+): (?:PickOne|".*"))re");
  Labels labels;
  std::istringstream text(lines);
  for (std::string line; std::getline(text, line);) {
    std::smatch parts;
    if (!std::regex_match(line, parts, form)) continue;
    const std::string language = parts[1].matched ? parts[1].str() : "en";
    labels[KeyOf(language, parts[2].str(), parts[3].str())] = parts[4];
  }
  return labels;
}

// "20 % (Lighter)". A value without a label is shown unchanged.
std::string ValueText(const PrintSetting& setting, const std::string& value,
                      const std::string& label) {
  if (!setting.is_number()) return label.empty() ? value : label;
  if (!setting.is_in_dialogs) return value;
  const std::string percent = value + " %";
  if (label.empty() || label == percent) return percent;
  return percent + " (" + label + ")";
}

std::string StringsIn(std::string_view language, const Labels& labels,
                      const std::string& automatic) {
  const auto label = [&](const PrintSetting& setting, std::string_view choice) {
    const auto found = labels.find(KeyOf(language, setting.keyword, choice));
    return found == labels.end() ? std::string() : found->second;
  };
  std::string lines;
  for (const PrintSetting& setting : kPrintSettings) {
    if (!IsOption(setting)) continue;
    const std::string name(setting.job_option);
    const std::string text = label(setting, "");
    lines += StringsLine(name, text.empty() ? std::string(setting.name) : text);
    for (const std::string& value : ListedValues(setting)) {
      lines += StringsLine(
          name + "." + value,
          value == "auto" ? automatic
                          : ValueText(setting, value, label(setting, value)));
    }
  }
  const std::string curve(kMeasuredCurveOption);
  return lines + StringsLine(curve, "measured-curve") +
         StringsLine(curve + ".auto", automatic);
}

}  // namespace

std::string StringsLine(std::string_view key, std::string_view text) {
  std::string line = "\"";
  line.append(key).append("\" = \"");
  for (const char c : text) {
    if (c == '"' || c == '\\') line += '\\';
    line += c;
  }
  return line + "\";\n";
}

void AddStrings(pappl_system_t* system, std::string_view name,
                const char* language, const std::string& lines) {
  std::string path = "/halftone-";
  path.append(name).append("-").append(language).append(".strings");
  papplSystemAddStringsData(system, path.c_str(), language, lines.c_str());
  // The words stay loaded without this resource. While PAPPL 1.3 has such a
  // resource, each request for a printer's attributes adds another one to the
  // printer, permanently.
  papplSystemRemoveResource(system, path.c_str());
}

void AddWebText(pappl_system_t* system) {
  constexpr const char* kKnown = "halftone-type.auto";
  if (papplLocGetString(papplSystemFindLoc(system, "en"), kKnown) != kKnown) {
    return;
  }
  const Labels labels = LabelsOf(kOptionLines);
  for (const char* language : kWebLanguages) {
    std::string lines =
        StringsIn(language, labels,
                  papplLocGetString(papplSystemFindLoc(system, language),
                                    "media-source.auto"));
    if (std::string_view(language) == "en") {
      for (const auto& [page, text] : kPageHelp)
        lines += StringsLine(page, text);
    }
    AddStrings(system, "settings", language, lines);
  }
}

}  // namespace halftoned
