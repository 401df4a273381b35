// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/printers/printer_attributes.h"

#include <cstdio>
#include <vector>

#include "base/text.h"
#include "printer_app/server/server_connection.h"

namespace halftoned {
namespace {

std::string ValueOf(ipp_attribute_t* attribute) {
  std::string text(ippAttributeString(attribute, nullptr, 0) + 1, '\0');
  ippAttributeString(attribute, text.data(), text.size());
  text.pop_back();
  return OneLine(text);
}

// Attributes of a printer, in order.
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

Result<void> PrintAttributes(const std::string& printer) {
  const Connection http = ConnectToRead();
  if (!http) return Unavailable("no server is running");
  const Answer answer = Ask(http.get(), IPP_OP_GET_PRINTERS);
  const Attributes found = AttributesIn(printer, answer.get());
  if (found.empty()) return Unavailable("there is no printer " + printer);
  for (ipp_attribute_t* each : found) {
    std::printf("%s=%s\n", ippGetName(each), ValueOf(each).c_str());
  }
  return {};
}

}  // namespace halftoned
