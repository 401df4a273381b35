// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/printer_jobs.h"

#include <cups/cups.h>

#include <iterator>
#include <string_view>
#include <utility>

#include "printer_app/front/pappl/turn_words.h"
#include "printer_app/front/rules/job_filter.h"
#include "printer_app/handover/hold.h"

namespace halftoned {
namespace {

constexpr const char* kSuppliedFormat = "document-format-supplied";

constexpr const char* kWantedOfJobs[] = {
    "job-id",         "job-state", "job-state-reasons",
    "job-hold-until", "job-name",  "job-originating-user-name",
    kSuppliedFormat};

void AskForJobs(ipp_t* request) {
  ippAddStrings(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                "requested-attributes", std::size(kWantedOfJobs), nullptr,
                kWantedOfJobs);
}

std::vector<JobOfPrinter> JobsIn(ipp_t* answer) {
  std::vector<JobOfPrinter> jobs;
  bool is_within = false;
  for (ipp_attribute_t* attribute = ippFirstAttribute(answer); attribute;
       attribute = ippNextAttribute(answer)) {
    const char* word = ippGetName(attribute);
    const bool is_of_job = word && ippGetGroupTag(attribute) == IPP_TAG_JOB;
    if (is_of_job && !is_within) jobs.emplace_back();
    is_within = is_of_job;
    if (!is_of_job) continue;
    JobOfPrinter& job = jobs.back();
    const std::string_view name = word;
    const char* text = ippGetString(attribute, 0, nullptr);
    if (name == "job-id") job.id = ippGetInteger(attribute, 0);
    if (name == "job-state") job.state = ippGetInteger(attribute, 0);
    if (name == "job-hold-until" && text) {
      job.is_held = text != std::string_view(kHoldForTurn);
    }
    if (name == "job-name" && text) job.name = text;
    if (name == kSuppliedFormat && text) job.format = text;
    if (name == "job-originating-user-name" && text) job.owner = text;
  }
  return jobs;
}

}  // namespace

Ipp PrinterJobs::Request(ipp_op_t operation) const {
  Ipp request(ippNewRequest(operation));
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri",
               nullptr, ("ipp://localhost" + resource_).c_str());
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_NAME,
               "requesting-user-name", nullptr, "root");
  return request;
}

std::optional<JobOfPrinter> PrinterJobs::Find(int id) const {
  const Ipp request = Request(IPP_OP_GET_JOB_ATTRIBUTES);
  ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER, "job-id",
                id);
  AskForJobs(request.get());
  const Result<Ipp> answer = Ask(request.get());
  if (!answer.ok()) return std::nullopt;
  for (JobOfPrinter& job : JobsIn(answer->get())) {
    if (job.id == id) return std::move(job);
  }
  return std::nullopt;
}

Result<Ipp> PrinterJobs::AskForList(const char* which, int most) const {
  Ipp request = Request(IPP_OP_GET_JOBS);
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD, "which-jobs",
               nullptr, which);
  AskForJobs(request.get());
  if (most > 0) LimitJobs(request, most);
  return Ask(request.get());
}

std::optional<std::map<int, JobOfPrinter>> PrinterJobs::Active() const {
  const Result<Ipp> answer = AskForList("not-completed", 0);
  if (!answer.ok()) return std::nullopt;
  std::map<int, JobOfPrinter> jobs;
  for (JobOfPrinter& job : JobsIn(answer->get())) {
    job.is_held &= job.state == IPP_JSTATE_HELD;
    jobs[job.id] = std::move(job);
  }
  return jobs;
}

std::vector<JobOfPrinter> PrinterJobs::List(const char* which, int most) const {
  Result<Ipp> answer = AskForList(which, most);
  if (!answer.ok()) return {};
  return JobsIn(ForClients(std::move(*answer), true, HoldOf(nullptr)).get());
}

bool PrinterJobs::Cancel(int id) const {
  const Ipp request = Request(IPP_OP_CANCEL_JOB);
  ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER, "job-id",
                id);
  const Result<Ipp> answer = Ask(request.get());
  return answer.ok() && ippGetStatusCode(answer->get()) == IPP_STATUS_OK;
}

}  // namespace halftoned
