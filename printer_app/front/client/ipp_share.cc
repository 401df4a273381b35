// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits of a user: lists at the same time, jobs and their documents in the
// spool, and the options that the printer accepts.

#include <map>
#include <utility>
#include <vector>

#include "printer_app/front/client/ipp_request.h"
#include "printer_app/front/pappl/open_jobs.h"
#include "printer_app/front/pappl/turn_words.h"
#include "printer_app/front/rules/document_format.h"
#include "printer_app/front/rules/job_options.h"

namespace halftoned {
namespace {

std::string WhyNotHeld(const FrontSettings& settings) {
  return "Other machines, or users of CUPS, can hold " +
         std::to_string(settings.user_jobs) +
         " jobs together, which is the limit.";
}

std::string WhyTooMuch(const FrontSettings& settings,
                       const UserShares::Coming& share) {
  const std::string has = "User " + share.user().name + " has ";
  const bool is_of_files = share.is_of_files();
  switch (share.limit()) {
    case UserShares::Limit::kJobs:
      return has + std::to_string(settings.user_jobs) +
             " waiting jobs, which is the limit.";
    case UserShares::Limit::kBytes:
      return has + std::to_string(settings.user_bytes >> 20) +
             " MiB of waiting documents, which is the limit.";
    case UserShares::Limit::kMinute:
      return has + "created " + std::to_string(UserShares::kMostPerMinute) +
             " jobs in a minute, which is the limit.";
    case UserShares::Limit::kGroupJobs:
      return "Other machines, or users of CUPS, can have " +
             std::to_string(int64_t{UserShares::kMostOfGroup} *
                            settings.user_jobs) +
             " waiting jobs together, each at most half of those that the "
             "others leave, and " +
             std::to_string(UserShares::kFewJobs) +
             " each beyond that, which is the limit.";
    case UserShares::Limit::kHeld:
      return WhyNotHeld(settings);
    case UserShares::Limit::kHalf:
      return has + "half of the " + (is_of_files ? "files" : "disk space") +
             " that others leave free, which is the limit.";
    case UserShares::Limit::kGroup:
      return std::string(
                 "Documents from other machines or from CUPS use three "
                 "quarters of the free ") +
             (is_of_files ? "files of the disk" : "disk space") +
             ", which is the limit.";
    default:
      if (is_of_files) {
        return "The disk can hold only a few more files, so only users without "
               "other jobs can print.";
      }
      return "The disk is nearly full, so only small documents can print.";
  }
}

}  // namespace

void IppRequest::LeaveList() {
  if (list_of_) front_.lists.Leave(*list_of_);
  list_of_.reset();
}

IppRequest::~IppRequest() { LeaveList(); }

bool IppRequest::TakeList() {
  const Caller& caller = client_.caller;
  if (caller.is_trusted) return true;
  if (!front_.lists.Enter(caller.network)) return false;
  list_of_ = caller.network;
  return true;
}

Ipp IppRequest::AskWhatItTakes() {
  std::vector<std::string> names = OptionsOfPrinters(request_.get());
  for (std::string& name : names) name += "-supported";
  if (!FormatNamedIn(request_.get()).empty()) {
    names.emplace_back(kSupportedFormats);
  }
  return names.empty() ? nullptr : AskPrinter(names);
}

Ipp IppRequest::AskPrinter(const std::vector<std::string>& attributes) {
  const Ipp question = Jobs().Request(IPP_OP_GET_PRINTER_ATTRIBUTES);
  ipp_attribute_t* wanted =
      ippAddString(question.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                   "requested-attributes", nullptr, "printer-state");
  for (const std::string& name : attributes) {
    ippSetString(question.get(), &wanted, ippGetCount(wanted), name.c_str());
  }
  auto answer = front_.behind.AskIpp(
      question.get(),
      {.network = client_.caller.network, .printer = target_.printer});
  return answer.ok() && IsDone(answer->get()) ? std::move(*answer) : nullptr;
}

// Clients on other machines can claim any name, so their network counts. CUPS
// believes programs of this machine.
UserShares::User IppRequest::WhoseShare() const {
  using Group = UserShares::Group;
  const Caller& caller = client_.caller;
  if (caller.is_nameless) return {caller.network};
  if (!caller.is_local && !caller.has_password) {
    return {caller.network, Group::kRemote};
  }
  return {user_, user_ == caller.name ? Group::kUsers : Group::kOfCups};
}

Ipp IppRequest::AnswerWithShare() {
  // The job would print at once, before its user is at the printer.
  if (ippFindAttribute(request_.get(), "job-password", IPP_TAG_ZERO)) {
    return Say(IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES,
               "No job waits for a password at the printer.");
  }
  if (front_.shares.IsTimeToLook()) ForgetEndedJobs();
  if (front_.shares.IsTimeToTidy()) front_.behind.Tidy();
  const ipp_op_t operation = ippGetOperation(request_.get());
  UserShares::Coming share(front_.shares, WhoseShare());
  const int jobs = operation == IPP_OP_SEND_DOCUMENT ? 0 : 1;
  const int held = jobs > 0 && IsHeldBy(request_.get()) ? jobs : 0;
  if (!TakeShare(share, {jobs, 0, held})) return SayTooMuch(share);
  if (operation == IPP_OP_PRINT_JOB) return AnswerWithDocument(share);
  if (operation == IPP_OP_SEND_DOCUMENT) {
    OpenJobs::Document document(front_.open_jobs,
                                {KeyOf(target_.printer), target_.job});
    if (!document.is_allowed()) {
      return Say(IPP_STATUS_ERROR_NOT_POSSIBLE,
                 "The job is closed, or another document of it is still "
                 "arriving.");
    }
    Ipp answer = AnswerWithDocument(share);
    if (answer && IsDone(answer.get())) document.HasCome();
    if (answer && ippGetStatusCode(answer.get()) ==
                      IPP_STATUS_ERROR_DOCUMENT_FORMAT_NOT_SUPPORTED) {
      document.WasRefused();
    }
    return answer;
  }
  Result<Ipp> answer = AskPappl();
  if (const auto job = GiveShare(share, answer->get())) {
    front_.open_jobs.Add(*job);
  }
  return std::move(*answer);
}

bool IppRequest::TakeShare(UserShares::Coming& share, UserShares::Share more) {
  if (share.Take(more)) return true;
  ForgetEndedJobs();
  return share.Take(more);
}

std::optional<UserShares::JobKey> IppRequest::GiveShare(
    UserShares::Coming& share, ipp_t* answer) {
  ipp_attribute_t* id = ippFindAttribute(answer, "job-id", IPP_TAG_INTEGER);
  if (!IsDone(answer) || !id) return std::nullopt;
  const UserShares::JobKey job{KeyOf(target_.printer), ippGetInteger(id, 0)};
  share.GiveTo(job);
  return job;
}

void IppRequest::ForgetEndedJobs() {
  front_.look_at_jobs.Do([this] { LookAtJobs(); });
}

void IppRequest::LookAtJobs() {
  std::map<std::string, std::vector<int>> printers;
  for (const UserShares::JobKey& job : front_.shares.Jobs()) {
    printers[job.printer].push_back(job.id);
  }
  for (const auto& [name, jobs] : printers) {
    const auto active =
        PrinterJobs(front_.behind, "", "/ipp/print/" + name).Active();
    if (!active) continue;
    for (const int id : jobs) {
      const auto job = active->find(id);
      if (job == active->end()) {
        front_.shares.Forget({name, id});
      } else {
        front_.shares.SetHeld({name, id}, job->second.is_held, true);
      }
    }
  }
  front_.shares.HaveLooked();
}

Ipp IppRequest::AnswerWithHold() {
  const UserShares::JobKey job{KeyOf(target_.printer), target_.job};
  const bool is_held = IsHeldBy(request_.get());
  const bool is_exempt = client_.caller.is_admin || client_.caller.is_trusted;
  // The limit is checked before the job is held. If it is not held then, it
  // counts until somebody looks.
  if (is_held && !front_.shares.SetHeld(job, true, is_exempt)) {
    ForgetEndedJobs();
    if (!front_.shares.SetHeld(job, true, false)) {
      return SayLimit(WhyNotHeld(front_.settings));
    }
  }
  Ipp answer = AnswerOfPappl();
  if (!is_held && IsDone(answer.get())) {
    front_.shares.SetHeld(job, false, true);
  }
  return answer;
}

Ipp IppRequest::SayTooMuch(const UserShares::Coming& share) {
  return SayLimit(WhyTooMuch(front_.settings, share));
}

Ipp IppRequest::SayLimit(const std::string& why) {
  front_.log.Write(FrontLog::kWarn, why, client_.caller);
  return Say(IPP_STATUS_ERROR_ACCOUNT_LIMIT_REACHED, why);
}

}  // namespace halftoned
