// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests that add or delete a printer, or ask for its number.

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "printer_app/front/client/ipp_request.h"
#include "printer_app/front/pappl/printer_deletion.h"
#include "printer_app/front/rules/message.h"
#include "printer_app/front/rules/texts.h"

namespace halftoned {

// For a printer that was added since the server started, PAPPL answers with 0;
// `delete` and `default` need the ID.
void IppRequest::TellPrinterId(ipp_t* answer) {
  ipp_attribute_t* id = ippFindAttribute(answer, "printer-id", IPP_TAG_INTEGER);
  if (!id || ippGetInteger(id, 0) != 0) return;
  const std::string name = target_.printer.empty()
                               ? TextIn(answer, "printer-name", IPP_TAG_NAME)
                               : target_.printer;
  for (const LivePrinter& printer : front_.Printers()) {
    if (KeyOf(printer.name) == KeyOf(name)) {
      ippSetInteger(answer, &id, 0, printer.id);
    }
  }
}

// One request at a time, so that the reason for a refusal is the right one.
Ipp IppRequest::CreatePrinter() {
  const std::lock_guard lock(front_.creating);
  const std::string why_not = front_.WhatForbidsName(given_name_);
  if (!why_not.empty()) return Say(IPP_STATUS_ERROR_NOT_POSSIBLE, why_not);
  Result<Ipp> answer = AskPappl();
  ipp_attribute_t* message =
      ippFindAttribute(answer->get(), "status-message", IPP_TAG_TEXT);
  const char* text = ippGetString(message, 0, nullptr);
  const auto why = front_.behind.AskPage("/halftone-inner/refusal");
  if (text && std::string_view(text).starts_with("Driver '") && why.ok() &&
      !why->empty()) {
    ippSetString(answer->get(), &message, 0, CleanText(*why).c_str());
  }
  return std::move(*answer);
}

Ipp IppRequest::DeletePrinter() {
  const int id = ippGetInteger(
      ippFindAttribute(request_.get(), "printer-id", IPP_TAG_INTEGER), 0);
  for (const LivePrinter& printer : front_.Printers()) {
    if (printer.id != id) continue;
    client_.WaitForEver();
    PrinterDeletion deletion(front_, printer.name);
    if (!deletion.is_allowed()) break;
    deletion.Prepare();
    return std::move(*AskPappl());
  }
  return Say(IPP_STATUS_ERROR_NOT_FOUND, "Printer not found.");
}

}  // namespace halftoned
