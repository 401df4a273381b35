// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/printer/printer_report.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "adopt/print/backend_message.h"
#include "base/text.h"

namespace halftoned {
namespace {

using State = PrintJob::State;

constexpr int kGrace = 15;      // seconds to reach a printer that wakes up
constexpr int kLongWait = 60;   // seconds; an idle queue begins immediately
constexpr int kLongPage = 300;  // seconds; pages rarely take this long

std::string Counted(int count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string Duration(int seconds) {
  constexpr int kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  if (seconds < 2 * kMinute) return Counted(seconds, "second");
  if (seconds < 2 * kHour) return Counted(seconds / kMinute, "minute");
  if (seconds < 2 * kDay) return Counted(seconds / kHour, "hour");
  return Counted(seconds / kDay, "day");
}

std::string After(const char* mark, const std::string& text,
                  const char* end = "") {
  return text.empty() ? "" : mark + text + end;
}

std::string HasWaited(const PrintJob& job) {
  return ", and job " + std::to_string(job.id) + " has waited for " +
         Duration(job.age);
}

std::string JobOf(const PrintQueue& queue, const PrintJob& job) {
  return "job " + std::to_string(job.id) + " of " + queue.name;
}

std::string ToGiveUp(const PrintJob& job) {
  return "; to cancel it, type: cancel " + std::to_string(job.id);
}

// Whether the printer cannot be reached, by a keyword of IPP.
bool IsAway(const std::string& reason) {
  return reason == "connecting-to-device" || reason.starts_with("offline") ||
         reason.starts_with("shutdown") || reason.starts_with("timed-out");
}

// Whether somebody must go to the printer. Older drivers send keywords without
// a severity.
bool NeedsAttention(const std::string& reason) {
  if (reason.ends_with("-error")) return !reason.starts_with("halftoned-");
  if (reason.ends_with("-report") || reason.ends_with("-warning")) return false;
  constexpr std::string_view kFaults[] = {"-empty",   "-full",   "-jam",
                                          "-missing", "-needed", "-open"};
  return !reason.starts_with("cups-") &&
         std::ranges::any_of(kFaults, [&](std::string_view fault) {
           return reason.ends_with(fault);
         });
}

// The relevant reasons, separated by commas.
template <typename IsMeant>
std::string Listed(const std::set<std::string>& reasons, IsMeant is_meant) {
  std::string list;
  for (const std::string& reason : reasons) {
    if (is_meant(reason)) list += After("", list.empty() ? "" : ", ") + reason;
  }
  return list;
}

// The first job in that state; nullptr if there is none.
const PrintJob* Oldest(const std::vector<PrintJob>& jobs, State state) {
  const auto found = std::ranges::find(jobs, state, &PrintJob::state);
  return found == jobs.end() ? nullptr : &*found;
}

Finding Stopped(const PrintQueue& queue, const PrintJob* job) {
  std::string why = OneLine(queue.state_message);
  if (why.empty()) why = Listed(queue.reasons, NeedsAttention);
  std::string what = queue.name + " is stopped" + After(": ", why);
  if (job) {
    what += HasWaited(*job);
    if (job->message != why) what += After(" (", job->message, ")");
  }
  return Wrong(what, "type: sudo cupsenable " + queue.name);
}

// The fault of a printer that a job waits for, if the printer does not reply.
std::optional<Finding> NoAnswer(const PrintQueue& queue, const PrintJob& job,
                                const std::string& catalogs) {
  const bool is_printing = job.state == State::kPrinting;
  if ((is_printing ? job.printing : job.age) < kGrace) return std::nullopt;
  std::string why;
  for (const std::string& said : {job.message, OneLine(queue.state_message)}) {
    if (why.empty() && SaysNoAnswer(said, catalogs)) why = said;
  }
  // The last job's message does not apply to a job that has not begun.
  if (why.empty() || !is_printing) why = Listed(queue.reasons, IsAway);
  if (why.empty()) return std::nullopt;
  return Wrong(
      queue.name + "'s printer does not reply (" + why + ")" + HasWaited(job),
      "switch it on, or check its cable and its address, " + queue.device_uri +
          ToGiveUp(job));
}

// The reason why a job waits although its queue is not stopped.
std::optional<Finding> Waiting(const PrintQueue& queue, const PrintJob& job,
                               const std::string& catalogs) {
  if (auto finding = NoAnswer(queue, job, catalogs)) return finding;
  const std::string needs = Listed(queue.reasons, NeedsAttention);
  if (!needs.empty()) {
    return Wrong(
        queue.name + "'s printer needs attention: " + needs + HasWaited(job),
        "check the printer" + ToGiveUp(job));
  }
  const std::string mend = "type: lpstat -l -p " + queue.name + ToGiveUp(job);
  const bool is_printing = job.state == State::kPrinting;
  if (is_printing && job.printing / std::max(job.pages, 1) >= kLongPage) {
    return Wrong(JobOf(queue, job) + " makes no progress: " +
                     Counted(job.pages, "page") + " in " +
                     Duration(job.printing) + After(" (", job.message, ")"),
                 mend);
  }
  if (is_printing || job.age < kLongWait) return std::nullopt;
  return Wrong(
      queue.name + " is idle" + HasWaited(job) + After(" (", job.message, ")"),
      mend);
}

std::optional<Finding> Held(const PrintQueue& queue, const PrintJob& job) {
  // The job's document is still arriving.
  const bool is_coming = job.reasons.contains("job-incoming") ||
                         job.reasons.contains("job-data-insufficient");
  if (is_coming && job.age < kLongWait) return std::nullopt;
  const std::string mend =
      "to print it now, type: lp -i " + std::to_string(job.id) + " -H resume";
  const std::string& until = job.hold_until;
  const bool is_timed = !until.empty() && until != "no-hold" &&
                        until != "indefinite" && until != "auth-info-required";
  if (is_timed) {
    return Advice(JobOf(queue, job) + " is held until " + until, mend);
  }
  const bool is_tried_again = job.reasons.contains("resources-are-not-ready");
  const std::string why = Listed(job.reasons, [](const std::string& reason) {
    return reason != "none" && reason != "job-hold-until-specified" &&
           reason != "resources-are-not-ready";
  });
  return Wrong(JobOf(queue, job) + ", " + Duration(job.age) + " old, " +
                   (is_tried_again ? "has failed, and CUPS will try it again"
                                   : "is held") +
                   After(": ", why) + After(" (", job.message, ")"),
               mend + ToGiveUp(job));
}

Finding StoppedJob(const PrintQueue& queue, const PrintJob& job) {
  return Wrong(JobOf(queue, job) + ", " + Duration(job.age) +
                   " old, is stopped" + After(": ", job.message),
               "to print it again, type: lp -i " + std::to_string(job.id) +
                   " -H restart" + ToGiveUp(job));
}

}  // namespace

Findings PrinterFindings(const PrintQueue& queue,
                         const std::vector<PrintJob>& jobs,
                         const std::string& catalogs) {
  Findings findings;
  const auto add = [&](std::optional<Finding> finding) {
    if (finding) findings.push_back(std::move(*finding));
  };
  const PrintJob* next = Oldest(jobs, State::kPrinting);
  if (!next) next = Oldest(jobs, State::kPending);
  const std::string needs = Listed(queue.reasons, NeedsAttention);
  if (queue.is_stopped) {
    add(Stopped(queue, next));
  } else if (next) {
    add(Waiting(queue, *next, catalogs));
  } else if (!needs.empty()) {
    add(Advice(queue.name + "'s printer needs attention: " + needs,
               "check the printer"));
  }
  if (!queue.is_accepting) {
    add(Wrong(queue.name + " accepts no jobs",
              "type: sudo cupsaccept " + queue.name));
  }
  const PrintJob* stopped = Oldest(jobs, State::kStopped);
  // The finding about the PPD file says why.
  if (stopped && !queue.has_wrong_ppd) add(StoppedJob(queue, *stopped));
  if (const PrintJob* held = Oldest(jobs, State::kHeld)) {
    add(Held(queue, *held));
  }
  return findings;
}

}  // namespace halftoned
