// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/spool.h"

#include <cups/ipp.h>
#include <sys/stat.h>

#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

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
constexpr mode_t kSpared = S_IWOTH;  // nobody else can enter the directory
constexpr mode_t kSent = S_IXGRP;
constexpr mode_t kFailed = S_IXOTH;

constexpr std::string_view kAttributes = ".ipp";

Ipp ReadAttributes(const std::string& document) {
  const auto file = OpenSpooled(AttributesOf(document));
  if (!file.ok()) return nullptr;
  Ipp message(ippNew());
  return ippReadFile(file->get(), message.get()) == IPP_STATE_DATA
             ? std::move(message)
             : nullptr;
}

mode_t ModeOf(const std::string& document) {
  struct stat status = {};
  return lstat(document.c_str(), &status) == 0 ? status.st_mode : 0;
}

bool Mark(const std::string& document, mode_t mark) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const mode_t kept =
      ModeOf(document) & (kBegun | kSuspect | kSpared | kSent | kFailed);
  return !chmod(document.c_str(), kWhole | kept | mark);
}

std::vector<fs::path> FilesIn(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    files.push_back(entry.path());
  }
  return files;
}

}  // namespace

bool IsDocument(std::string_view name) {
  return name.find('-') != name.npos && JobOfFile(name) &&
         !name.ends_with(kAttributes) && !name.ends_with(kNext);
}

bool MarkWhole(const std::string& document) { return Mark(document, 0); }

bool MarkBegun(const std::string& document) { return Mark(document, kBegun); }

bool MarkSent(const std::string& document) { return Mark(document, kSent); }

bool MarkFailed(const std::string& document) { return Mark(document, kFailed); }

bool MarkWaiting(const SpooledJob& job) {
  const mode_t suspect = job.is_suspect ? kSuspect : 0;
  const mode_t spared = job.is_spared ? kSpared : 0;
  return !chmod(job.document.c_str(), kWhole | suspect | spared);
}

bool IsSuspect(const std::string& document) {
  return (ModeOf(document) & kSuspect) != 0;
}

std::map<JobNumber, SpooledJob> SpooledJobs(const std::string& spool) {
  std::map<JobNumber, SpooledJob> jobs;
  for (const fs::path& path : FilesIn(spool)) {
    const std::string name = path.filename();
    struct stat status;
    if (!IsDocument(name) || lstat(path.c_str(), &status) ||
        !S_ISREG(status.st_mode)) {
      continue;
    }
    const bool is_whole = DocumentOf(path) == path
                              ? (status.st_mode & S_IWUSR) == 0
                              : HasDocument(path);
    if (!is_whole) continue;
    const auto has = [&](mode_t mark) { return (status.st_mode & mark) != 0; };
    jobs[*JobOfFile(name)] = {
        path,
        has(kBegun),
        has(kSent),
        has(kFailed),
        has(kSuspect),
        has(kSpared),
        int64_t{status.st_ctim.tv_sec} * 1'000'000'000 + status.st_ctim.tv_nsec,
    };
  }
  return jobs;
}

std::string AttributesOf(const std::string& document) {
  return fs::path(document).replace_extension(kAttributes);
}

bool HasAttributes(const std::string& document) {
  return ReadAttributes(document) != nullptr;
}

void ForgetHold(const std::string& document) {
  const Ipp attributes = ReadAttributes(document);
  ipp_attribute_t* hold =
      ippFindAttribute(attributes.get(), "job-hold-until", IPP_TAG_KEYWORD);
  if (!hold) return;
  ippDeleteAttribute(attributes.get(), hold);
  // If the disk is full, the job waits for that time again.
  (void)WriteWhole(AttributesOf(document), WriteIpp(attributes.get()));
}

void RemoveFilesOf(const std::string& folder, int printer) {
  for (const fs::path& path : FilesIn(folder)) {
    const auto number = JobOfFile(path.filename().string());
    std::error_code error;
    if (number && number->printer == printer) fs::remove(path, error);
  }
}

void RemoveOthers(const std::string& spool, const std::set<JobNumber>& jobs) {
  for (const fs::path& path : FilesIn(spool)) {
    const auto number = JobOfFile(path.filename().string());
    std::error_code error;
    if (number && !jobs.contains(*number)) fs::remove(path, error);
  }
}

}  // namespace halftoned
