// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/ipp_request.h"

#include <signal.h>
#include <unistd.h>

#include <ctime>
#include <mutex>
#include <utility>
#include <vector>

#include "printer_app/front/callers/admission.h"
#include "printer_app/front/pappl/turn_words.h"
#include "printer_app/front/rules/document_format.h"
#include "printer_app/front/rules/groups.h"
#include "printer_app/front/rules/ipp_scan.h"
#include "printer_app/front/rules/job_filter.h"
#include "printer_app/front/rules/job_options.h"
#include "printer_app/front/rules/own_addresses.h"
#include "printer_app/front/rules/request_values.h"
#include "printer_app/front/rules/texts.h"

namespace halftoned {
namespace {

// Jobs in a list. CUPS, which is trusted, gets all.
constexpr int kMostListed = 500;

bool IsLongList(ipp_op_t operation) {
  return operation == IPP_OP_GET_JOBS ||
         operation == IPP_OP_CUPS_GET_PRINTERS ||
         operation == IPP_OP_GET_PRINTERS ||
         operation == IPP_OP_GET_SYSTEM_ATTRIBUTES;
}

bool IsList(ipp_op_t operation) {
  return IsLongList(operation) || operation == IPP_OP_GET_NOTIFICATIONS ||
         operation == IPP_OP_CANCEL_CURRENT_JOB;
}

// Until it has a printer, PAPPL's system reports that it is idle since 1970.
void TellStart(ipp_t* answer, time_t start) {
  ipp_attribute_t* date =
      ippFindAttribute(answer, "system-state-change-date-time", IPP_TAG_DATE);
  if (date && ippDateToTime(ippGetDate(date, 0)) < start) {
    ippSetDate(answer, &date, 0, ippTimeToDate(start));
  }
  ipp_attribute_t* seconds =
      ippFindAttribute(answer, "system-state-change-time", IPP_TAG_INTEGER);
  if (seconds && ippGetInteger(seconds, 0) < 1) {
    ippSetInteger(answer, &seconds, 0, 1);
  }
}

int NumberOf(ipp_t* ipp, const char* name) {
  return ippGetInteger(ippFindAttribute(ipp, name, IPP_TAG_INTEGER), 0);
}

}  // namespace

bool IppRequest::Serve() {
  host_ = client_.Field(HTTP_FIELD_HOST);
  IppScan scan;
  if (!Read(scan)) {
    client_.RespondStatus(HTTP_STATUS_BAD_REQUEST);
    return false;
  }
  client_.WaitForSilence();
  const bool has_document = BringsDocument(scan.operation());
  if (!has_document && !client_.Drain().ok()) return false;
  // libcups keeps the strings of all parsed messages in one sorted list, so
  // many messages at a time would make all of them slow.
  if (!client_.StartWork()) return false;
  request_ = ParseIpp(scan.message());
  if (!request_) {
    client_.RespondStatus(HTTP_STATUS_BAD_REQUEST);
    return false;
  }
  const bool is_in_order = SettleGroups(request_);
  Clean();
  const std::optional<IppTarget> target = SettleTarget(request_.get());
  const ipp_op_t operation = ippGetOperation(request_.get());
  // These two operations may omit the target.
  if (operation == IPP_OP_CUPS_GET_PRINTERS ||
      operation == IPP_OP_CUPS_GET_DEFAULT) {
    target_.is_system = true;
  } else if (target) {
    target_ = *target;
    FindDefault();
  }
  const auto right = RightFor(operation, target_.is_system);
  const bool has_several = HasSeveralSubscriptions(request_.get());
  const bool is_change =
      target && right && !has_several && ChangesPrinters(operation);
  if (!is_change) LogRequest(FrontLog::kUsual);
  Ipp answer;
  if (!is_in_order) {
    answer = Say(IPP_STATUS_ERROR_BAD_REQUEST,
                 "The groups of attributes are out of order.");
  } else if (!target && !target_.is_system) {
    answer = Say(IPP_STATUS_ERROR_BAD_REQUEST,
                 "The request names no printer and no system.");
  } else if (!right) {
    answer = Say(IPP_STATUS_ERROR_OPERATION_NOT_SUPPORTED,
                 "The operation is not supported.");
  } else if (front_.is_ending && SwitchesPrinters(operation)) {
    answer = Say(IPP_STATUS_ERROR_SERVICE_UNAVAILABLE,
                 "The server is ending, and printers are paused for that.");
  } else if (has_several) {
    answer = Say(IPP_STATUS_ERROR_TOO_MANY_SUBSCRIPTIONS,
                 "A request can create only one subscription.");
  } else {
    front_.FindRights(client_.caller);
    const auto forbidden = WhatForbids(*right);
    if (is_change) LogRequest(forbidden ? FrontLog::kUsual : FrontLog::kKept);
    SetUser();
    if (forbidden) {
      request_.reset();
      if (has_document && !client_.Drain().ok()) return false;
      return client_.RespondStatus(*forbidden);
    }
    if (!client_.StartWork()) return false;
    answer = Answer(*right);
  }
  // Its client may read slowly (answer_room.h).
  LeaveList();
  if (!answer) return false;
  ippSetRequestId(answer.get(), ippGetRequestId(request_.get()));
  request_.reset();
  const bool reads_rest = has_document && !client_.is_interrupted();
  if (reads_rest && !client_.Drain().ok()) return false;
  if (client_.has_more()) {
    client_.RespondIppEarly(std::move(answer));
    return false;
  }
  const bool goes_on = client_.RespondIpp(std::move(answer));
  if (right == Right::kStop) kill(getpid(), SIGTERM);
  return goes_on;
}

void IppRequest::LogRequest(FrontLog::Kind kind) const {
  const Caller& caller = client_.caller;
  front_.log.Write(FrontLog::kInfo,
                   std::string(ippOpString(ippGetOperation(request_.get()))) +
                       " by " + Describe(caller) + ".",
                   caller, kind);
}

// For a URI without a printer's name, PAPPL uses the default printer.
void IppRequest::FindDefault() {
  if (target_.is_system || !target_.printer.empty()) return;
  const std::vector<LivePrinter> printers = front_.Printers();
  if (!printers.empty()) target_.printer = printers.front().name;
}

bool IppRequest::Read(IppScan& scan) {
  const FrontClient::Look look(client_);
  std::string piece;
  while (scan.wanted() > 0) {
    piece.resize(scan.wanted());
    for (size_t at = 0; at < piece.size();) {
      const auto got = client_.Read(piece.data() + at, piece.size() - at);
      if (!got.ok() || *got == 0) return false;
      at += *got;
    }
    if (!scan.Take(piece)) return false;
  }
  return true;
}

void IppRequest::Clean() {
  given_name_ = TextIn(request_.get(), "printer-name", IPP_TAG_NAME);
  CleanTexts(request_.get());
  can_unpack_ = HasKnownCompression(request_.get());
  compression_ = TextIn(request_.get(), "compression", IPP_TAG_KEYWORD);
  // PAPPL would wait for 30 s: for events, after which clients ask again
  // anyway, and for a compressed document, even with a request that has none.
  // CUPS sends document-name-supplied, which only servers set.
  for (const char* name :
       {"notify-wait", "compression", "document-name-supplied"}) {
    while (ipp_attribute_t* given =
               ippFindAttribute(request_.get(), name, IPP_TAG_ZERO)) {
      ippDeleteAttribute(request_.get(), given);
    }
  }
  const std::vector<std::string> wrong = LeaveOutWrongValues(request_.get());
  if (wrong.empty()) return;
  const std::string more =
      ", and " + std::to_string(wrong.size() - 1) + " more";
  front_.log.Write(
      FrontLog::kWarn,
      "Left out: " + wrong.front() + (wrong.size() > 1 ? more : "") + ".",
      client_.caller);
}

void IppRequest::SetUser() {
  ipp_attribute_t* said =
      ippFindAttribute(request_.get(), "requesting-user-name", IPP_TAG_NAME);
  const char* name = ippGetString(said, 0, nullptr);
  // If the server asks for passwords, a name without one proves nothing.
  const bool is_believed =
      client_.caller.is_local || front_.settings.auth_service.empty();
  user_ = UserOf(client_.caller, name && is_believed ? name : "");
  if (user_.empty()) user_ = client_.caller.is_local ? "nobody" : "anonymous";
  if (said) {
    ippSetString(request_.get(), &said, 0, user_.c_str());
    return;
  }
  request_ = WithString(request_.get(), IPP_TAG_OPERATION, IPP_TAG_NAME,
                        "requesting-user-name", user_);
}

std::optional<http_status_t> IppRequest::WhatForbids(Right right) {
  if (right == Right::kAdmin || right == Right::kStop) {
    if (client_.caller.is_admin) return std::nullopt;
    return AskPassword(front_, client_, std::nullopt);
  }
  if (front_.settings.auth_service.empty()) return std::nullopt;
  if (right == Right::kRead) {
    // Reading needs no password, but a user who sends one sees their own jobs.
    const bool is_shown = !client_.caller.is_local &&
                          !client_.Field(HTTP_FIELD_AUTHORIZATION).empty();
    return is_shown ? ProveUser(front_, client_) : std::nullopt;
  }
  if (client_.caller.is_local &&
      front_.MayPrint(client_.caller, target_.printer)) {
    return std::nullopt;
  }
  return AskPassword(front_, client_, target_.printer);
}

Ipp IppRequest::Say(ipp_status_t status, const std::string& message) {
  Ipp answer(ippNewResponse(request_.get()));
  ippSetStatusCode(answer.get(), status);
  if (!message.empty()) {
    ippAddString(answer.get(), IPP_TAG_OPERATION, IPP_TAG_TEXT,
                 "status-message", nullptr, message.c_str());
  }
  return answer;
}

// True if the client uses TLS, or has to (AskPassword).
bool IppRequest::IsSecure() const {
  const FrontSettings& settings = front_.settings;
  return client_.is_encrypted() ||
         (!client_.caller.is_local && settings.has_tls &&
          !settings.auth_service.empty());
}

Result<Ipp> IppRequest::AskPappl(std::string_view document) {
  if (!client_.StartWork()) {
    return Say(IPP_STATUS_ERROR_SERVICE_UNAVAILABLE,
               "The connection was closed to make room for another client.");
  }
  client_.WaitForEver();
  request_ = ForTurns(std::move(request_));
  const ipp_op_t operation = ippGetOperation(request_.get());
  const bool keeps_holds = (operation != IPP_OP_GET_JOBS &&
                            operation != IPP_OP_GET_JOB_ATTRIBUTES) ||
                           AskForHolds(request_.get());
  Result<Ipp> answer = front_.behind.AskIpp(
      request_.get(),
      {client_.caller.network, HostForPappl(host_), target_.printer}, document);
  if (answer.ok()) {
    answer =
        ForClients(std::move(*answer), keeps_holds, HoldOf(request_.get()));
  }
  client_.WaitForSilence();
  if (!answer.ok()) {
    front_.log.Write(FrontLog::kError, answer.error().message, client_.caller);
    return Say(IPP_STATUS_ERROR_SERVICE_UNAVAILABLE,
               "The server does not reply.");
  }
  if (IsDone(answer->get())) {
    const std::string unsaved = WhatIsNotSaved(answer->get());
    if (!unsaved.empty()) return Say(IPP_STATUS_ERROR_INTERNAL, unsaved);
  }
  const bool is_secure = IsSecure();
  SetAddresses(host_, is_secure, answer->get());
  MatchSecurities(answer->get(), is_secure);
  return answer;
}

bool IppRequest::MayTouchJob(int job) {
  if (client_.caller.is_admin || client_.caller.is_trusted) return true;
  const auto found = Jobs().Find(job);
  return found && MayTouch(client_.caller, user_, found->owner);
}

// A printer that does not answer makes these two take a minute, in which others
// can be deleted.
std::string IppRequest::PrinterOfGate() const {
  const ipp_op_t operation = ippGetOperation(request_.get());
  if (operation == IPP_OP_CREATE_PRINTER) return Front::KeyOfNew(given_name_);
  if (FindsDevices(operation)) return PrinterGate::kNone;
  return KeyOf(target_.printer);
}

Ipp IppRequest::Answer(Right right) {
  const ipp_op_t operation = ippGetOperation(request_.get());
  if (operation == IPP_OP_DELETE_PRINTER) return DeletePrinter();
  if (IsList(operation) && !TakeList()) {
    return Say(IPP_STATUS_ERROR_BUSY,
               "You requested too many lists at once; try again later.");
  }
  // Before the gate: the deletion of a printer waits for its users.
  WorkSlots::Slot listing(front_.listing);
  if (IsLongList(operation)) listing.Take(client_.caller.network);
  WorkSlots::Slot canceling(front_.canceling);
  if (right == Right::kOwnJobs || right == Right::kCurrentJob) {
    canceling.Take(client_.caller.network);
  }
  const PrinterGate::Use use(front_.gate, PrinterOfGate(),
                             [&] { client_.Interrupt(); });
  if (!use.is_allowed()) return SayDeleted();
  int job = target_.job;
  if (operation == IPP_OP_CREATE_JOB_SUBSCRIPTIONS) {
    job = NumberOf(request_.get(), "notify-job-id");
  }
  if (right == Right::kOwnJob && !MayTouchJob(job)) {
    return Say(IPP_STATUS_ERROR_NOT_AUTHORIZED,
               "Job " + std::to_string(job) +
                   " is another user's, or no longer exists.");
  }
  if (right == Right::kSubscription) {
    if (Ipp refusal = RefuseSubscriptions()) return refusal;
  }
  if (right == Right::kOwnJobs) return CancelOwnJobs();
  if (right == Right::kCurrentJob) return CancelCurrentJob();
  if (right == Right::kStop) return Say(IPP_STATUS_OK, "");
  if (operation == IPP_OP_CREATE_PRINTER) return CreatePrinter();
  if (operation == IPP_OP_CREATE_JOB_SUBSCRIPTIONS ||
      operation == IPP_OP_CREATE_PRINTER_SUBSCRIPTIONS) {
    return CreateSubscription();
  }
  if (operation == IPP_OP_GET_PRINTER_ATTRIBUTES ||
      operation == IPP_OP_GET_PRINTERS ||
      operation == IPP_OP_CUPS_GET_PRINTERS ||
      operation == IPP_OP_CUPS_GET_DEFAULT) {
    return ListPrinters();
  }
  const bool is_job = MakesJob(operation) || operation == IPP_OP_VALIDATE_JOB;
  if (is_job && HasTooManyOptions(request_.get())) {
    return Say(IPP_STATUS_ERROR_REQUEST_ENTITY,
               "The job has too many options.");
  }
  if (is_job && !can_unpack_) {
    return Say(IPP_STATUS_ERROR_COMPRESSION_NOT_SUPPORTED,
               "The compression must be none, gzip or deflate.");
  }
  const Ipp printer = AskWhatItTakes();
  const std::string format = FormatNamedIn(request_.get());
  if (!TakesFormat(printer.get(), format)) return SayNotTaken(format);
  const Ipp taken = TakeUnknown(request_.get(), printer.get());
  if (taken && IsExact(request_.get())) {
    Ipp refusal = Say(IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES, "");
    AnswerUnknown(taken.get(), true, refusal);
    return refusal;
  }
  const bool is_hold =
      operation == IPP_OP_HOLD_JOB || operation == IPP_OP_RELEASE_JOB;
  Ipp answer = MakesJob(operation) ? AnswerWithShare()
               : is_hold           ? AnswerWithHold()
                                   : AnswerOfPappl();
  if (answer && taken) AnswerUnknown(taken.get(), false, answer);
  return answer;
}

Ipp IppRequest::AnswerOfPappl() {
  const ipp_op_t operation = ippGetOperation(request_.get());
  const bool has_jobs =
      operation == IPP_OP_GET_JOBS || operation == IPP_OP_GET_JOB_ATTRIBUTES;
  if (operation == IPP_OP_GET_JOBS && !client_.caller.is_trusted) {
    LimitJobs(request_, kMostListed);
  }
  const AddedNames added = has_jobs ? AskForMore(request_.get()) : AddedNames();
  Result<Ipp> answer = AskPappl();
  if (operation == IPP_OP_CLOSE_JOB && IsDone(answer->get())) {
    front_.open_jobs.Close({KeyOf(target_.printer), target_.job});
  }
  // Clients such as CUPS would not send the job.
  if (operation == IPP_OP_VALIDATE_JOB && !IsExact(request_.get()) &&
      WouldPrint(answer->get())) {
    ippSetStatusCode(answer->get(), IPP_STATUS_OK_IGNORED_OR_SUBSTITUTED);
  }
  if (has_jobs) {
    *answer = WithholdJobs(answer->get(), client_.caller, user_, added);
  }
  if (operation == IPP_OP_GET_NOTIFICATIONS) {
    *answer = WithholdEvents(answer->get(), client_.caller, user_);
  }
  if (operation == IPP_OP_GET_SYSTEM_ATTRIBUTES) {
    TellStart(answer->get(), front_.start);
  }
  return std::move(*answer);
}

}  // namespace halftoned
