// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/printers/found_printer.h"

#include <string_view>

namespace halftoned {
namespace {

using Attributes = std::vector<ipp_attribute_t*>;

// An attribute without a name separates groups.
Attributes AttributesIn(const std::string& printer, ipp_t* answer) {
  Attributes group;
  bool is_meant = false;
  for (ipp_attribute_t* each = ippFirstAttribute(answer); each;
       each = ippNextAttribute(answer)) {
    if (ippGetGroupTag(each) != IPP_TAG_PRINTER) {
      if (is_meant) break;
      group.clear();
      continue;
    }
    group.push_back(each);
    is_meant |= std::string_view(ippGetName(each)) == "printer-name" &&
                ippGetString(each, 0, nullptr) == printer;
  }
  return is_meant ? group : Attributes();
}

}  // namespace

ipp_attribute_t* FoundPrinter::Find(const std::string& name) const {
  for (ipp_attribute_t* each : attributes) {
    if (ippGetName(each) == name) return each;
  }
  return nullptr;
}

Result<FoundPrinter> FindPrinter(const std::string& name) {
  FoundPrinter found;
  found.http = ConnectToServerOrService();
  if (!found.http) return Unavailable("no server is running");
  found.answer = Ask(found.http.get(), IPP_OP_GET_PRINTERS);
  found.attributes = AttributesIn(name, found.answer.get());
  if (found.attributes.empty()) {
    return Unavailable("there is no printer " + name);
  }
  return found;
}

}  // namespace halftoned
