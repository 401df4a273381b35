// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/printers/clients.h"

#include "printer_app/jobs/test_sheet.h"

namespace halftoned {

void SetForClients(pappl_pr_driver_data_t& data, ipp_t* attributes) {
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
