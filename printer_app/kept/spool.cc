// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/spool.h"

#include <cups/ipp.h>
#include <sys/stat.h>

#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "printer_app/front/rules/message.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/kept/whole_file.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kWhole = S_IRUSR;
// Mode bits that have no other meaning here.
constexpr mode_t kBegun = S_ISVTX;
constexpr mode_t kSuspect = S_IXUSR;
constexpr mode_t kSpared = S_IWOTH;  // only the owner can enter the directory
constexpr mode_t kSent = S_IXGRP;
constexpr mode_t kFailed = S_IXOTH;

constexpr std::string_view kAttributesEnd = ".ipp";

// Null if they are missing or truncated.
Result<Ipp> ReadAttributes(const std::string& document) {
  const std::string path = AttributesOf(document);
  HALFTONED_TRY_ASSIGN(const bool is_there, IsSpooled(path));
  if (!is_there) return Ipp();
  HALFTONED_TRY_ASSIGN(const std::string text, ReadWhole(path));
  return ParseIpp(text);
}

mode_t ModeOf(const std::string& document) {
  struct stat status = {};
  return lstat(document.c_str(), &status) == 0 ? status.st_mode : 0;
}

// Writes nothing for a job that waits as before. The time of any other mark
// counts (SpooledJob::marked).
bool SetMode(const std::string& document, mode_t mode) {
  const bool waits_as_before =
      mode == kWhole && (ModeOf(document) & ALLPERMS) == kWhole;
  return waits_as_before || !chmod(document.c_str(), mode);
}

bool Mark(const std::string& document, mode_t mark, mode_t removed = 0) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const mode_t kept = ModeOf(document) & ~removed &
                      (kBegun | kSuspect | kSpared | kSent | kFailed);
  return SetMode(document, kWhole | kept | mark);
}

template <typename Wanted>
void RemoveWhere(const std::string& folder, Wanted wanted) {
  const auto files = FilesIn(folder);
  if (!files.ok()) return;
  for (const fs::path& path : *files) {
    const auto number = JobOfFile(path.filename().string());
    std::error_code error;
    if (number && wanted(*number)) fs::remove(path, error);
  }
}

}  // namespace

bool IsDocument(std::string_view name) {
  return name.find('-') != name.npos && JobOfFile(name) &&
         !name.ends_with(kAttributesEnd) && !name.ends_with(kNext);
}

bool MarkWhole(const std::string& document) { return Mark(document, 0); }

bool MarkBegun(const std::string& document) { return Mark(document, kBegun); }

bool MarkSent(const std::string& document, bool is_sent) {
  return is_sent ? Mark(document, kSent) : Mark(document, kBegun, kSent);
}

bool MarkFailed(const std::string& document) { return Mark(document, kFailed); }

bool MarkWaiting(const SpooledJob& job) {
  const mode_t suspect = job.is_suspect ? kSuspect : 0;
  const mode_t spared = job.is_spared ? kSpared : 0;
  return SetMode(job.document, kWhole | suspect | spared);
}

bool IsSuspect(const std::string& document) {
  return (ModeOf(document) & kSuspect) != 0;
}

Result<std::map<JobNumber, SpooledJob>> SpooledJobs(const std::string& spool) {
  std::map<JobNumber, SpooledJob> jobs;
  HALFTONED_TRY_ASSIGN(const auto files, FilesIn(spool));
  for (const fs::path& path : files) {
    const std::string name = path.filename();
    struct stat status;
    if (!IsDocument(name) || lstat(path.c_str(), &status) ||
        !S_ISREG(status.st_mode)) {
      continue;
    }
    const auto has_document = FindsDocument(path);
    if (!has_document.ok() && has_document.error().code != ErrorCode::kIo) {
      return has_document.error();
    }
    const bool is_raw = (status.st_mode & S_IWUSR) == 0;
    if (has_document.ok() && !has_document->value_or(is_raw)) continue;
    const auto has = [&](mode_t mark) { return (status.st_mode & mark) != 0; };
    jobs[*JobOfFile(name)] = {
        path,
        has(kBegun),
        has(kSent),
        has(kFailed),
        has(kSuspect),
        has(kSpared),
        int64_t{status.st_ctim.tv_sec} * 1'000'000'000 + status.st_ctim.tv_nsec,
        has_document.ok() ? "" : has_document.error().message,
    };
  }
  return jobs;
}

std::string AttributesOf(const std::string& document) {
  return fs::path(document).replace_extension(kAttributesEnd);
}

Result<bool> HasAttributes(const std::string& document) {
  HALFTONED_TRY_ASSIGN(const Ipp attributes, ReadAttributes(document));
  return attributes != nullptr;
}

void ForgetHold(const std::string& document) {
  const Result<Ipp> read = ReadAttributes(document);
  ipp_t* attributes = read.ok() ? read->get() : nullptr;
  ipp_attribute_t* hold =
      ippFindAttribute(attributes, "job-hold-until", IPP_TAG_KEYWORD);
  if (!hold) return;
  ippDeleteAttribute(attributes, hold);
  // If the disk is full, the job waits for that time again.
  (void)WriteWhole(AttributesOf(document), WriteIpp(attributes));
}

void RemoveFilesOf(const std::string& folder, int printer) {
  RemoveWhere(folder,
              [&](JobNumber number) { return number.printer == printer; });
}

void RemoveOthers(const std::string& spool, const std::set<JobNumber>& jobs) {
  RemoveWhere(spool, [&](JobNumber number) { return !jobs.contains(number); });
}

}  // namespace halftoned
