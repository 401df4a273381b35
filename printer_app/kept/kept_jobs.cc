// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/kept_jobs.h"

#include <unistd.h>

#include <functional>

#include "base/descriptor.h"
#include "printer_app/kept/job_texts.h"
#include "printer_app/kept/whole_file.h"

namespace halftoned {
namespace {

constexpr const char* kAttributes = "ipp";

// Where PAPPL looks for the job's attributes.
std::string AttributesFile(pappl_job_t* job) {
  char path[1024] = "";
  const Descriptor file(
      papplJobOpenFile(job, path, sizeof(path), nullptr, kAttributes, "r"));
  return path;
}

Result<void> WriteIfNew(const std::string& text, size_t& digest,
                        const std::function<Result<void>()>& write) {
  const size_t next = std::hash<std::string>()(text);
  if (next == digest) return {};
  HALFTONED_TRY(write());
  digest = next;
  return {};
}

}  // namespace

JobNumber NumberOf(pappl_job_t* job) {
  return {papplPrinterGetID(papplJobGetPrinter(job)), papplJobGetID(job)};
}

Result<void> KeptJobs::Begin(pappl_job_t* job) {
  const JobNumber number = NumberOf(job);
  {
    const std::lock_guard lock(mutex_);
    active_[number] = {};
  }
  return Write(job, number);
}

Result<void> KeptJobs::Update(pappl_job_t* job) {
  return papplJobGetState(job) >= IPP_JSTATE_CANCELED
             ? End(job)
             : Write(job, NumberOf(job));
}

// PAPPL's locks come before this object's, so the attributes are read first.
// The line is read last: what End() has written stays.
Result<void> KeptJobs::Write(pappl_job_t* job, JobNumber number) {
  const std::string attributes = AttributesOf(job);
  const std::lock_guard lock(mutex_);
  const auto found = active_.find(number);
  if (found == active_.end()) return {};
  Kept& kept = found->second;
  HALFTONED_TRY(WriteIfNew(attributes, kept.attributes, [&] {
    return WriteWhole(AttributesFile(job), attributes);
  }));
  const std::string line = LineOf(job);
  return WriteIfNew(line, kept.line,
                    [&] { return records_.Write(number, line, false); });
}

bool KeptJobs::NoteDocument(JobNumber number, const std::string& document) {
  std::string path = DocumentOf(document);
  const std::lock_guard lock(mutex_);
  const auto found = active_.find(number);
  if (found == active_.end()) {
    unlink(document.c_str());
    return false;
  }
  if (path == document && access(path.c_str(), F_OK) != 0) return false;
  found->second.file = document;
  found->second.document = std::move(path);
  return true;
}

Result<void> KeptJobs::End(pappl_job_t* job) {
  const JobNumber number = NumberOf(job);
  const std::lock_guard lock(mutex_);
  const auto found = active_.find(number);
  if (found == active_.end()) return {};
  const bool has_ended = papplJobGetState(job) >= IPP_JSTATE_CANCELED;
  const std::string line = LineOf(job);
  const Result<void> done = records_.Write(number, line, has_ended);
  found->second.line = std::hash<std::string>()(line);
  if (!has_ended) return done;
  char path[1024];
  papplJobOpenFile(job, path, sizeof(path), nullptr, kAttributes, "x");
  // PAPPL leaves it if the job is canceled while it arrives.
  unlink(found->second.file.c_str());
  RemoveDocument(found->second.document);
  active_.erase(found);
  return done;
}

void KeptJobs::RemovePrinter(int printer) {
  const std::lock_guard lock(mutex_);
  const auto first = active_.lower_bound({printer, 0});
  const auto end = active_.lower_bound({printer + 1, 0});
  for (auto each = first; each != end; ++each) {
    RemoveDocument(each->second.document);
  }
  active_.erase(first, end);
  RemoveFilesOf(spool_, printer);
  records_.RemovePrinter(printer);
}

std::vector<JobNumber> KeptJobs::Active() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobNumber> numbers;
  numbers.reserve(active_.size());
  for (const auto& [number, kept] : active_) numbers.push_back(number);
  return numbers;
}

}  // namespace halftoned
