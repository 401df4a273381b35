// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/ppd/ppd_texts.h"

#include <map>
#include <string>

#include "printer_app/server/web_text.h"
#include "printer_app/system_driver/driver_ppd.h"

namespace halftoned {
namespace {

// By key: "zePrintMode" and "zePrintMode.Tear".
using Texts = std::map<std::string, std::string>;

void AddChoices(const std::string& key, const PpdOption& option, Texts& texts) {
  for (const PpdChoice& each : option.choices) {
    texts.emplace(key + "." + each.name, each.text);
  }
}

}  // namespace

void AddPpdTexts(pappl_system_t* system,
                 const std::vector<const Driver*>& drivers) {
  Texts texts;
  for (const Driver* driver : drivers) {
    const DriverPpd& ppd = *driver->ppd;
    AddChoices("media-source", ppd.trays(), texts);
    AddChoices("media-type", ppd.paper_types(), texts);
    AddChoices("output-bin", ppd.output_bins(), texts);
    for (const PpdOption& option : ppd.options()) {
      texts.emplace(option.keyword, option.text);
      AddChoices(option.keyword, option, texts);
    }
  }
  for (const char* language : kWebLanguages) {
    std::string lines;
    for (const auto& [key, text] : texts) {
      const char* known =
          papplLocGetString(papplSystemFindLoc(system, language), key.c_str());
      if (known == key) lines += StringsLine(key, text);
    }
    if (!lines.empty()) AddStrings(system, "drivers", language, lines);
  }
}

}  // namespace halftoned
