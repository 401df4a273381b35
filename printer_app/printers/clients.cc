// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/printers/clients.h"

#include <string>
#include <string_view>

#include "printer_app/jobs/test_sheet.h"

namespace halftoned {
namespace {

// Clients take the first word for the maker.
void NameMaker(pappl_pr_driver_data_t& data) {
  const std::string name = data.make_and_model;
  constexpr std::string_view kLanguagesOfPrinters[] = {"PCL ", "PWG ", "ZPL ",
                                                       "EPL", "ESC/POS"};
  for (const std::string_view language : kLanguagesOfPrinters) {
    if (!name.starts_with(language)) continue;
    papplCopyString(data.make_and_model, ("Generic " + name).c_str(),
                    sizeof(data.make_and_model));
  }
}

}  // namespace

void SetForClients(pappl_pr_driver_data_t& data, ipp_t* attributes) {
  NameMaker(data);
  data.testpage_cb = MakeTestSheet;
  // IPP Everywhere wants these.
  constexpr const char* kIntents[] = {"print-rendering-intent-default",
                                      "print-rendering-intent-supported"};
  for (const char* name : kIntents) {
    ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD, name, nullptr,
                 "auto");
  }
  ippAddBoolean(attributes, IPP_TAG_PRINTER, "preferred-attributes-supported",
                false);
}

}  // namespace halftoned
