// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/queue/queue_ipp.h"

#include <iterator>
#include <set>

namespace halftoned {
namespace {

constexpr char kMark[] = "halftone-adopted-default";

// The states that rastertohalftone reports.
constexpr char kWrongPpd[] = "halftoned-configuration-error";
constexpr char kMisconfigured[] = "halftoned-configuration-warning";

constexpr const char* kWanted[] = {"printer-name",
                                   "printer-type",
                                   "printer-state",
                                   "printer-state-message",
                                   "printer-state-reasons",
                                   "printer-is-temporary",
                                   "printer-is-accepting-jobs",
                                   "device-uri",
                                   "cups-browsed-default",
                                   "document-format-supported",
                                   kMark};

std::set<std::string> StringsOf(ipp_attribute_t* attribute) {
  std::set<std::string> texts;
  for (int i = 0; i < ippGetCount(attribute); ++i) {
    texts.insert(ippGetString(attribute, i, nullptr));
  }
  return texts;
}

void TakeAttribute(ipp_attribute_t* attribute, PrintQueue& queue) {
  const std::string name = ippGetName(attribute) ? ippGetName(attribute) : "";
  if (name == "printer-name") {
    queue.name = StringOf(attribute);
  } else if (name == "printer-type") {
    const auto type = static_cast<unsigned>(ippGetInteger(attribute, 0));
    queue.is_class = type & CUPS_PRINTER_CLASS;
    queue.is_remote = type & (CUPS_PRINTER_REMOTE | CUPS_PRINTER_DISCOVERED);
  } else if (name == "printer-state") {
    queue.is_printing = ippGetInteger(attribute, 0) == IPP_PSTATE_PROCESSING;
    queue.is_stopped = ippGetInteger(attribute, 0) == IPP_PSTATE_STOPPED;
  } else if (name == "printer-state-message") {
    queue.state_message = StringOf(attribute);
  } else if (name == "printer-state-reasons") {
    queue.reasons = StringsOf(attribute);
    queue.has_wrong_ppd = queue.reasons.contains(kWrongPpd);
    queue.is_misconfigured = queue.reasons.contains(kMisconfigured);
  } else if (name == "printer-is-accepting-jobs") {
    queue.is_accepting = ippGetBoolean(attribute, 0) != 0;
  } else if (name == "printer-is-temporary") {
    queue.is_temporary = ippGetBoolean(attribute, 0) != 0;
  } else if (name == "device-uri") {
    queue.device_uri = StringOf(attribute);
    queue.is_browsed |= queue.device_uri.starts_with("implicitclass:");
  } else if (name == "cups-browsed-default") {
    queue.is_browsed = true;
  } else if (name == kMark) {
    queue.is_marked = true;
  } else if (name == "document-format-supported") {
    queue.formats = StringsOf(attribute);
  }
}

}  // namespace

std::string StringOf(ipp_attribute_t* attribute) {
  const char* text = ippGetString(attribute, 0, nullptr);
  return text ? text : "";
}

void AskForQueues(ipp_t* request) {
  ippAddStrings(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                "requested-attributes", std::size(kWanted), nullptr, kWanted);
}

std::vector<PrintQueue> QueuesIn(ipp_t* response) {
  std::vector<PrintQueue> queues;
  bool is_inside = false;
  for (ipp_attribute_t* attribute = ippFirstAttribute(response); attribute;
       attribute = ippNextAttribute(response)) {
    const bool is_of_queue = ippGetGroupTag(attribute) == IPP_TAG_PRINTER;
    if (is_of_queue && !is_inside) queues.emplace_back();
    is_inside = is_of_queue;
    if (is_of_queue) TakeAttribute(attribute, queues.back());
  }
  return queues;
}

void Mark(ipp_t* request, bool is_marked) {
  if (is_marked) {
    ippAddString(request, IPP_TAG_PRINTER, IPP_TAG_NAME, kMark, nullptr,
                 "true");
  } else {
    ippAddInteger(request, IPP_TAG_PRINTER, IPP_TAG_DELETEATTR, kMark, 0);
  }
}

}  // namespace halftoned
