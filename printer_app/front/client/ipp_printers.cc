// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests that add, delete or list printers, and their IDs.

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "printer_app/front/client/ipp_request.h"
#include "printer_app/front/pappl/printer_deletion.h"
#include "printer_app/front/rules/message.h"
#include "printer_app/front/rules/texts.h"

namespace halftoned {
namespace {

constexpr char kDeviceId[] = "printer-device-id";
constexpr char kPrinterId[] = "printer-id";
constexpr char kPrinterName[] = "printer-name";
constexpr char kWanted[] = "requested-attributes";

// Makes a request for IDs of printers ask for names too. Whether it did so
// before.
bool AskForNames(ipp_t* request) {
  ipp_attribute_t* wanted = ippFindAttribute(request, kWanted, IPP_TAG_KEYWORD);
  if (!wanted || !ippContainsString(wanted, kPrinterId) ||
      ippContainsString(wanted, kPrinterName) ||
      ippContainsString(wanted, "all") ||
      ippContainsString(wanted, "printer-description")) {
    return true;
  }
  ippSetString(request, &wanted, ippGetCount(wanted), kPrinterName);
  return false;
}

void LeaveOutNames(ipp_t* answer) {
  while (ipp_attribute_t* name =
             ippFindAttribute(answer, kPrinterName, IPP_TAG_ZERO)) {
    ippDeleteAttribute(answer, name);
  }
}

// PAPPL says that the default is to do nothing, and then what the driver says
// (printers/printer_data.cc). CUPS would send the default with each job.
void KeepFinishingsOfDrivers(ipp_t* answer) {
  std::vector<ipp_attribute_t*> surplus;
  ipp_attribute_t* last = nullptr;
  for (ipp_attribute_t* each = ippFirstAttribute(answer); each;
       each = ippNextAttribute(answer)) {
    const char* name = ippGetName(each);
    if (!name) {
      last = nullptr;  // the end of a printer's group
    } else if (std::string_view(name) == "finishings-default") {
      if (last) surplus.push_back(last);
      last = each;
    }
  }
  for (ipp_attribute_t* each : surplus) ippDeleteAttribute(answer, each);
}

}  // namespace

// For a printer that was added since the server started, PAPPL answers with 0;
// `delete` and `default` need the ID. name: the printer's, in answers without
// names.
void IppRequest::TellPrinterIds(ipp_t* answer, const std::string& name) {
  struct Unknown {
    ipp_attribute_t* id;
    std::string key;
  };
  std::vector<Unknown> unknown;
  Unknown printer{nullptr, Front::KeyOfNew(name)};
  ipp_attribute_t* attribute = ippFirstAttribute(answer);
  for (;; attribute = ippNextAttribute(answer)) {
    const char* word = ippGetName(attribute);
    if (!word) {  // the end of a printer's group
      if (printer.id) unknown.push_back(printer);
      if (!attribute) break;
      printer = {nullptr, Front::KeyOfNew(name)};
    } else if (std::string_view(word) == kPrinterId) {
      if (ippGetInteger(attribute, 0) == 0) printer.id = attribute;
    } else if (std::string_view(word) == kPrinterName) {
      printer.key = Front::KeyOfNew(ippGetString(attribute, 0, nullptr));
    }
  }
  if (unknown.empty()) return;
  for (const LivePrinter& known : front_.Printers()) {
    for (Unknown& each : unknown) {
      if (each.key != KeyOf(known.name)) continue;
      ippSetInteger(answer, &each.id, 0, known.id);
    }
  }
}

Ipp IppRequest::SayDeleted() {
  return Say(IPP_STATUS_ERROR_NOT_FOUND, "The printer is being deleted.");
}

// The answer has names of printers only if the client asked for them.
Ipp IppRequest::ListPrinters() {
  const bool keeps_names = AskForNames(request_.get());
  Ipp answer = std::move(*AskPappl());
  TellPrinterIds(answer.get(), target_.printer);
  if (!keeps_names) LeaveOutNames(answer.get());
  KeepFinishingsOfDrivers(answer.get());
  return answer;
}

// PAPPL would ask while it adds the printer, and a printer can take most of a
// minute.
void IppRequest::AddDeviceId() {
  const bool is_wanted =
      std::string_view(TextIn(request_.get(), "smi55357-driver",
                              IPP_TAG_KEYWORD)) == "auto" &&
      !ippFindAttribute(request_.get(), kDeviceId, IPP_TAG_ZERO);
  if (!is_wanted || !client_.StartWork()) return;
  client_.WaitForEver();
  const auto id = front_.behind.AskPage(
      std::string("/halftone-inner/device-id?") +
      TextIn(request_.get(), "smi55357-device-uri", IPP_TAG_URI));
  // An empty one makes PAPPL refuse the printer without asking it again.
  if (!id.ok()) return;
  request_ = WithString(request_.get(), IPP_TAG_PRINTER, IPP_TAG_TEXT,
                        kDeviceId, OneLine(*id));
}

// PAPPL adds one printer at a time, so that the reason for a refusal is the
// right one.
Ipp IppRequest::CreatePrinter() {
  const Front::NewName name(front_, given_name_);
  if (!name.why_not().empty()) {
    return Say(IPP_STATUS_ERROR_NOT_POSSIBLE, name.why_not());
  }
  AddDeviceId();
  const std::lock_guard lock(front_.creating);
  Result<Ipp> answer = AskPappl();
  ipp_attribute_t* message =
      ippFindAttribute(answer->get(), "status-message", IPP_TAG_TEXT);
  const char* text = ippGetString(message, 0, nullptr);
  TellPrinterIds(answer->get(), given_name_);
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
