// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/kept_jobs.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "halftone/look/settings.h"
#include "printer_app/front/rules/message.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/kept/state_file.h"
#include "printer_app/kept/whole_file.h"

namespace halftoned {
namespace {

// Attributes, besides settings and options of drivers, that PAPPL and this
// program use, or that clients can ask for. PAPPL has no function that lists a
// job's attributes. At each start, it creates other attributes, such as
// job-name, again.
constexpr const char* kNames[] = {
    "client-info",
    "compression-supplied",
    "copies",
    "document-format-detected",
    "document-format-supplied",
    "document-name",
    "document-name-supplied",
    "finishing-template",
    "finishings",
    "finishings-col",
    "ipp-attribute-fidelity",
    "job-hold-until",
    "job-hold-until-time",
    "job-impressions",
    "job-priority",
    "job-sheets",
    "media",
    "media-col",
    "multiple-document-handling",
    "number-up",
    "orientation-requested",
    "output-bin",
    "page-ranges",
    "print-color-mode",
    "print-content-optimize",
    "print-darkness",
    "print-quality",
    "print-rendering-intent",
    "print-scaling",
    "print-speed",
    "printer-resolution",
    "sides",
};

std::string OrEmpty(const char* text) { return text ? text : ""; }

std::set<std::string_view> NamesFor(pappl_printer_t* printer) {
  std::set<std::string_view> names(std::begin(kNames), std::end(kNames));
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.job_option.empty()) names.insert(setting.job_option);
  }
  pappl_pr_driver_data_t data;
  if (papplPrinterGetDriverData(printer, &data)) {
    names.insert(data.vendor, data.vendor + data.num_vendor);
  }
  return names;
}

void SetTime(const char* name, time_t time, StateLine& line) {
  if (time) line.Set(name, std::to_string(time));
}

void SetNumber(const char* name, int number, StateLine& line) {
  if (number) line.Set(name, number);
}

// A job's line in PAPPL's state. Takes no lock of PAPPL. Treats a job that is
// being canceled as ended: it must not print again.
std::string LineOf(pappl_job_t* job) {
  StateLine line;
  line.Set("id", papplJobGetID(job));
  line.Set("name", OrEmpty(papplJobGetName(job)));
  line.Set("username", OrEmpty(papplJobGetUsername(job)));
  if (const char* format = papplJobGetFormat(job)) line.Set("format", format);
  const ipp_jstate_t state = papplJobGetState(job);
  const bool is_over = state >= IPP_JSTATE_CANCELED || papplJobIsCanceled(job);
  const time_t completed = papplJobGetTimeCompleted(job);
  line.Set("state", state < IPP_JSTATE_CANCELED && is_over ? IPP_JSTATE_CANCELED
                                                           : state);
  SetNumber("state_reasons", static_cast<int>(papplJobGetReasons(job)), line);
  SetTime("created", papplJobGetTimeCreated(job), line);
  SetTime("processing", papplJobGetTimeProcessed(job), line);
  if (is_over) {
    SetTime("completed", completed ? completed : std::time(nullptr), line);
  }
  SetNumber("impressions", papplJobGetImpressions(job), line);
  SetNumber("imcompleted", papplJobGetImpressionsCompleted(job), line);
  return "Job" + line.Text();
}

// Copies an attribute. The copy shares no collections with the original, which
// PAPPL's threads share (job_lock.h). It is a callback of ippCopyAttributes,
// which then copies nothing itself.
int CopyWhole(void* /*unused*/, ipp_t* to, ipp_attribute_t* from) {
  if (ippGetValueTag(from) != IPP_TAG_BEGIN_COLLECTION) {
    ippCopyAttribute(to, from, 0);
    return 0;
  }
  std::vector<Ipp> owners;
  std::vector<const ipp_t*> values;
  for (int i = 0; i < ippGetCount(from); ++i) {
    owners.emplace_back(ippNew());
    values.push_back(owners.back().get());
    ippCopyAttributes(owners.back().get(), ippGetCollection(from, i), 0,
                      CopyWhole, nullptr);
  }
  ippAddCollections(to, ippGetGroupTag(from), ippGetName(from),
                    static_cast<int>(values.size()), values.data());
  return 0;
}

// A job's attributes, as an IPP message. PAPPL locks the job for reading only
// while it returns an attribute, so nothing may change the job meanwhile
// (job_lock.h).
std::string MessageOf(pappl_job_t* job) {
  const Ipp message(ippNew());
  for (const std::string_view name : NamesFor(papplJobGetPrinter(job))) {
    ipp_attribute_t* attribute =
        papplJobGetAttribute(job, std::string(name).c_str());
    if (attribute) CopyWhole(nullptr, message.get(), attribute);
  }
  return WriteIpp(message.get());
}

constexpr const char* kAttributes = "ipp";

// Where PAPPL looks for the job's attributes.
std::string AttributesFile(pappl_job_t* job) {
  char path[1024] = "";
  const Descriptor file(
      papplJobOpenFile(job, path, sizeof(path), nullptr, kAttributes, "r"));
  return path;
}

size_t DigestOf(const std::string& text) {
  return std::hash<std::string>()(text);
}

Result<void> WriteIfNew(const std::string& text, size_t& digest,
                        const std::function<Result<void>()>& write) {
  const size_t next = DigestOf(text);
  if (next == digest) return {};
  HALFTONED_TRY(write());
  digest = next;
  return {};
}

}  // namespace

JobNumber NumberOf(pappl_job_t* job) {
  return {papplPrinterGetID(papplJobGetPrinter(job)), papplJobGetID(job)};
}

Result<void> KeptJobs::Load(const std::set<int>& printers,
                            const std::map<JobNumber, std::string>& lines) {
  HALFTONED_TRY_ASSIGN(const auto spooled, SpooledJobs(spool_));
  for (const auto& [number, job] : spooled) {
    // A damaged disk may keep files that the recovery removes.
    if (!printers.contains(number.printer) || !job.damage.empty()) continue;
    Kept& kept = active_[number];
    kept.file = job.document;
    HALFTONED_TRY_ASSIGN(kept.document, DocumentOf(job.document));
    const auto line = lines.find(number);
    if (line != lines.end()) kept.line = DigestOf(line->second);
  }
  return {};
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
Result<void> KeptJobs::Write(pappl_job_t* job, JobNumber number) {
  const std::string attributes = MessageOf(job);
  const std::lock_guard lock(mutex_);
  const auto found = active_.find(number);
  if (found == active_.end()) return {};
  const Result<void> done = WriteFiles(job, number, attributes, found->second);
  if (done.ok()) {
    outdated_.erase(number);
  } else {
    outdated_.insert(number);
  }
  return done;
}

// The line is read last, so that it does not overwrite what End() wrote.
Result<void> KeptJobs::WriteFiles(pappl_job_t* job, JobNumber number,
                                  const std::string& attributes, Kept& kept) {
  if (kept.attributes == 0 && !kept.file.empty()) {
    const auto saved = ReadWhole(AttributesOf(kept.file));
    if (saved.ok()) kept.attributes = DigestOf(*saved);
  }
  HALFTONED_TRY(WriteIfNew(attributes, kept.attributes, [&] {
    return WriteWhole(AttributesFile(job), attributes);
  }));
  const std::string line = LineOf(job);
  return WriteIfNew(line, kept.line,
                    [&] { return records_.Write(number, line, false); });
}

bool KeptJobs::NoteDocument(JobNumber number, const std::string& document) {
  Result<std::string> path = DocumentOf(document);
  const std::lock_guard lock(mutex_);
  const auto found = active_.find(number);
  if (found == active_.end()) {
    unlink(document.c_str());
    return false;
  }
  const bool is_known = path.ok();
  if (is_known && *path == document && access(document.c_str(), F_OK) != 0) {
    return false;
  }
  found->second.file = document;
  if (is_known) found->second.document = std::move(*path);
  return is_known;
}

Result<void> KeptJobs::End(pappl_job_t* job) {
  const JobNumber number = NumberOf(job);
  const std::lock_guard lock(mutex_);
  const auto found = active_.find(number);
  if (found == active_.end()) return {};
  Kept& kept = found->second;
  const bool has_ended = papplJobGetState(job) >= IPP_JSTATE_CANCELED;
  const std::string line = LineOf(job);
  const Result<void> done = records_.Write(number, line, has_ended);
  outdated_.erase(number);  // unsaved_ has what is not saved
  if (done.ok()) {
    kept.line = DigestOf(line);
    unsaved_.erase(number);
  } else {
    unsaved_[number] = {line, has_ended, kept};
  }
  if (has_ended) {
    char path[1024];
    papplJobOpenFile(job, path, sizeof(path), nullptr, kAttributes, "x");
    RemoveFiles(kept);
    active_.erase(found);
    on_end_(job);
  } else if (!done.ok()) {
    unlink(kept.file.c_str());
  }
  return done;
}

// PAPPL leaves its file if the job is canceled while the document arrives.
void KeptJobs::RemoveFiles(const Kept& kept) {
  if (!kept.file.empty()) {
    unlink(kept.file.c_str());
    unlink(AttributesOf(kept.file).c_str());
  }
  RemoveDocument(kept.document);
}

bool KeptJobs::SaveEnds() {
  const std::lock_guard lock(mutex_);
  std::erase_if(unsaved_, [this](const auto& each) {
    const UnsavedEnd& end = each.second;
    if (end.has_ended) RemoveFiles(end.files);
    return records_.Write(each.first, end.line, end.has_ended).ok();
  });
  return unsaved_.empty();
}

std::vector<JobNumber> KeptJobs::UnsavedEnds() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobNumber> numbers;
  if (unsaved_.empty()) return numbers;
  const auto spooled = SpooledJobs(spool_);
  for (const auto& [number, end] : unsaved_) {
    if (!spooled.ok() || spooled->contains(number)) numbers.push_back(number);
  }
  return numbers;
}

std::vector<JobNumber> KeptJobs::Outdated() const {
  const std::lock_guard lock(mutex_);
  return {outdated_.begin(), outdated_.end()};
}

void KeptJobs::RemovePrinter(int printer) {
  const std::lock_guard lock(mutex_);
  const auto first = active_.lower_bound({printer, 0});
  const auto end = active_.lower_bound({printer + 1, 0});
  for (auto each = first; each != end; ++each) {
    RemoveDocument(each->second.document);
  }
  active_.erase(first, end);
  std::erase_if(outdated_, [printer](JobNumber number) {
    return number.printer == printer;
  });
  std::erase_if(unsaved_, [printer](const auto& each) {
    return each.first.printer == printer;
  });
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
