// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/printers/printer_attributes.h"

#include <cups/cups.h>

#include <cstdio>

#include "base/text.h"
#include "printer_app/printers/found_printer.h"

namespace halftoned {
namespace {

std::string ValueOf(ipp_attribute_t* attribute) {
  std::string text(ippAttributeString(attribute, nullptr, 0) + 1, '\0');
  ippAttributeString(attribute, text.data(), text.size());
  text.pop_back();
  return OneLine(text);
}

}  // namespace

Result<void> PrintAttributes(const std::string& printer) {
  HALFTONED_TRY_ASSIGN(const FoundPrinter found, FindPrinter(printer));
  for (ipp_attribute_t* each : found.attributes) {
    std::printf("%s=%s\n", ippGetName(each), ValueOf(each).c_str());
  }
  return {};
}

}  // namespace halftoned
