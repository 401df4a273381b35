// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/print/print_job.h"

#include <cups/cups.h>

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace halftoned {
namespace {

// As CUPS sends it.
struct SentJob {
  PrintJob job;
  int state = 0;
  int now = 0, created = 0, started = 0;  // CUPS' clock; 0 if not sent
};

void TakeAttribute(ipp_attribute_t* attribute, SentJob& sent) {
  const std::string name = ippGetName(attribute) ? ippGetName(attribute) : "";
  const char* text = ippGetString(attribute, 0, nullptr);
  // 0 unless it is a number.
  const int number = ippGetInteger(attribute, 0);
  if (name == "job-id") sent.job.id = number;
  if (name == "job-state") sent.state = number;
  if (name == "job-printer-up-time") sent.now = number;
  if (name == "time-at-creation") sent.created = number;
  if (name == "time-at-processing") sent.started = number;
  if (name == "job-impressions-completed") sent.job.pages = number;
  if (name == "job-hold-until" && text) sent.job.hold_until = text;
  if (name == "job-printer-state-message" && text) {
    sent.job.message = OneLine(text);
  }
  if (name == "job-state-reasons") {
    for (int i = 0; i < ippGetCount(attribute); ++i) {
      sent.job.reasons.insert(ippGetString(attribute, i, nullptr));
    }
  }
}

std::optional<PrintJob::State> StateOf(int state) {
  if (state == IPP_JSTATE_PENDING) return PrintJob::State::kPending;
  if (state == IPP_JSTATE_HELD) return PrintJob::State::kHeld;
  if (state == IPP_JSTATE_PROCESSING) return PrintJob::State::kPrinting;
  if (state == IPP_JSTATE_STOPPED) return PrintJob::State::kStopped;
  return std::nullopt;
}

int Since(int then, int now) { return then > 0 ? std::max(0, now - then) : 0; }

}  // namespace

std::vector<PrintJob> JobsIn(_ipp_s* response) {
  std::vector<SentJob> sent;
  bool is_inside = false;
  for (ipp_attribute_t* attribute = ippFirstAttribute(response); attribute;
       attribute = ippNextAttribute(response)) {
    const bool is_of_job = ippGetGroupTag(attribute) == IPP_TAG_JOB;
    if (is_of_job && !is_inside) sent.emplace_back();
    is_inside = is_of_job;
    if (is_of_job) TakeAttribute(attribute, sent.back());
  }
  std::vector<PrintJob> jobs;
  for (SentJob& one : sent) {
    const auto state = StateOf(one.state);
    if (!state || one.job.id == 0) continue;
    one.job.state = *state;
    one.job.age = Since(one.created, one.now);
    one.job.printing = Since(one.started, one.now);
    jobs.push_back(std::move(one.job));
  }
  std::ranges::sort(jobs, {}, &PrintJob::id);
  return jobs;
}

}  // namespace halftoned
