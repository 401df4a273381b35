// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/spool.h"

#include <cups/ipp.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "printer_app/handover/spooled_document.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

constexpr size_t kSpoolName = 16;  // of SpoolName()

constexpr mode_t kWhole = S_IRUSR;
// Bits that mean nothing else here.
constexpr mode_t kBegun = S_ISVTX;
constexpr mode_t kSuspect = S_IXUSR;
constexpr mode_t kSent = S_IXGRP;

constexpr const char* kKept = ".kept";
constexpr const char* kAttributes = ".ipp";
// Extension of a file that replaces another one once it is written.
constexpr const char* kNew = ".new";

// A message that ends early cannot be read.
bool IsWhole(const fs::path& attributes) {
  const Descriptor file(open(attributes.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return false;
  ipp_t* message = ippNew();
  const bool is_whole = ippReadFile(file.get(), message) == IPP_STATE_DATA;
  ippDelete(message);
  return is_whole;
}

// Afterwards, `to` is either the whole copy or as it was before.
bool Copy(const fs::path& from, const fs::path& to) {
  fs::path next = to;
  next += kNew;
  std::error_code error;
  fs::copy_file(from, next, fs::copy_options::overwrite_existing, error);
  bool is_copied = !error;
  if (is_copied && !IsWhole(next)) {
    // PAPPL wrote less, most likely on a disk that was full.
    error = std::make_error_code(std::errc::no_space_on_device);
    is_copied = false;
  }
  if (is_copied && !std::rename(next.c_str(), to.c_str())) return true;
  std::remove(next.c_str());
  if (error) errno = error.value();
  return false;
}

mode_t ModeOf(const std::string& document) {
  struct stat status = {};
  return lstat(document.c_str(), &status) == 0 ? status.st_mode : 0;
}

bool Mark(const std::string& document, mode_t mark) {
  static std::mutex one_at_a_time;  // of several threads
  const std::lock_guard lock(one_at_a_time);
  const mode_t kept = ModeOf(document) & (kBegun | kSuspect | kSent);
  return !chmod(document.c_str(), kWhole | kept | mark);
}

std::string JobOf(const std::string& name) {
  return name.substr(0, kSpoolName);
}

}  // namespace

std::string SpoolName(int printer, int job) {
  char name[32];
  std::snprintf(name, sizeof(name), "p%05dj%09d", printer, job);
  return name;
}

bool IsDocument(std::string_view name) {
  return name.size() > kSpoolName && name[0] == 'p' && !name.ends_with(kKept) &&
         !name.ends_with(kAttributes) && !name.ends_with(kNew);
}

bool MarkWhole(const std::string& document) { return Mark(document, 0); }

bool MarkBegun(const std::string& document) { return Mark(document, kBegun); }

bool MarkSent(const std::string& document) { return Mark(document, kSent); }

bool MarkWaiting(const std::string& document, bool is_suspect) {
  return !chmod(document.c_str(), is_suspect ? kWhole | kSuspect : kWhole);
}

bool IsSuspect(const std::string& document) {
  return (ModeOf(document) & kSuspect) != 0;
}

std::map<std::string, SpooledJob> SpooledJobs(const std::string& spool) {
  std::map<std::string, SpooledJob> jobs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(spool, error)) {
    const std::string name = entry.path().filename();
    struct stat status;
    if (!IsDocument(name) || lstat(entry.path().c_str(), &status) ||
        !S_ISREG(status.st_mode)) {
      continue;
    }
    const bool is_whole = DocumentOf(entry.path()) == entry.path()
                              ? (status.st_mode & S_IWUSR) == 0
                              : HasDocument(entry.path());
    if (!is_whole) continue;
    const auto has = [&](mode_t mark) { return (status.st_mode & mark) != 0; };
    jobs[JobOf(name)] = {entry.path(), has(kBegun), has(kSent), has(kSuspect)};
  }
  return jobs;
}

bool KeepAttributes(const std::string& spool) {
  std::error_code error;
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(spool, error)) {
    names.insert(entry.path().filename());
  }
  bool are_kept = true;
  for (const std::string& name : names) {
    const std::string path = spool + '/' + name;
    if (name.ends_with(kAttributes) && !names.contains(name + kKept)) {
      are_kept &= Copy(path, path + kKept);
    } else if (name.ends_with(kKept) &&
               !names.contains(fs::path(name).stem())) {
      fs::remove(path, error);
    }
  }
  return are_kept;
}

void RestoreAttributes(const std::string& spool,
                       const std::set<std::string>& jobs) {
  std::error_code error;
  std::vector<fs::path> kept;
  for (const auto& entry : fs::directory_iterator(spool, error)) {
    const fs::path& path = entry.path();
    if (path.extension() == kKept && jobs.contains(JobOf(path.filename()))) {
      kept.push_back(path);
    }
  }
  for (const fs::path& path : kept) {
    fs::path written = path;
    written.replace_extension();
    if (!IsWhole(written) && !Copy(path, written)) {
      fs::rename(path, written, error);
    }
  }
}

void RemoveOfOtherPrinters(const std::string& spool,
                           const std::function<std::set<int>()>& printers) {
  std::error_code error;
  std::vector<std::pair<int, fs::path>> files;
  for (const auto& entry : fs::directory_iterator(spool, error)) {
    const std::string name = entry.path().filename();
    int printer = 0;
    if (name.size() > kSpoolName &&
        std::sscanf(name.c_str(), "p%5dj", &printer) == 1) {
      files.emplace_back(printer, entry.path());
    }
  }
  if (files.empty()) return;
  const std::set<int> known = printers();
  for (const auto& [printer, path] : files) {
    if (!known.contains(printer)) fs::remove(path, error);
  }
}

void RemoveOthers(const std::string& spool, const std::set<std::string>& jobs) {
  std::error_code error;
  std::vector<fs::path> rest;
  for (const auto& entry : fs::directory_iterator(spool, error)) {
    const std::string name = entry.path().filename();
    if (name.size() > kSpoolName && name[0] == 'p' && name[6] == 'j' &&
        !jobs.contains(JobOf(name))) {
      rest.push_back(entry.path());
    }
  }
  for (const fs::path& path : rest) fs::remove(path, error);
}

}  // namespace halftoned
