// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/job_records.h"

#include <cups/ipp.h>
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <span>
#include <system_error>

#include "base/descriptor.h"
#include "printer_app/kept/state_file.h"
#include "printer_app/kept/whole_file.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

// A title and a user's name, with a backslash before each byte, and numbers.
constexpr size_t kLongestRecord = 4096;

// The first line, if it is complete.
std::optional<std::string> LineIn(const std::string& path) {
  const auto file = Descriptor::Open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file.ok()) return std::nullopt;
  std::string text(kLongestRecord, '\0');
  const auto size =
      ReadFully(file->get(), std::as_writable_bytes(std::span(text)));
  if (!size.ok()) return std::nullopt;
  const size_t end = text.find('\n');
  if (end >= *size || text.find('\0') < end || !text.starts_with("Job ")) {
    return std::nullopt;
  }
  return text.substr(0, end);
}

}  // namespace

std::string JobRecords::PathOf(JobNumber number) const {
  return folder_ + '/' + SpoolName(number);
}

Result<JobRecords::Found> JobRecords::Read() {
  Found found;
  std::vector<fs::path> others;
  std::error_code error;
  fs::directory_iterator entry(folder_, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path path = entry->path();
    const std::string name = path.filename().string();
    const auto number = JobOfFile(name);
    const auto line =
        number && path == PathOf(*number) ? LineIn(path) : std::nullopt;
    if (!line) {
      others.push_back(path);
      continue;
    }
    found.lines[*number] = *line;
    if (StateLine(*line).Number("state") >= IPP_JSTATE_CANCELED) {
      ended_[number->printer].insert(number->job);
    }
  }
  if (error) return IoError(folder_ + ": " + error.message());
  for (const fs::path& path : others) {
    // A killed process can leave an unfinished file, not a damaged one.
    if (path.extension() != kNext) found.damaged.push_back(path.filename());
    fs::remove(path, error);
  }
  return found;
}

Result<void> JobRecords::Write(JobNumber number, const std::string& line,
                               bool has_ended) {
  const std::lock_guard lock(mutex_);
  HALFTONED_TRY(WriteWhole(PathOf(number), line + '\n'));
  if (!has_ended) return {};
  std::set<int>& ended = ended_[number.printer];
  ended.insert(number.job);
  while (ended.size() > most_ended_) {
    unlink(PathOf({number.printer, *ended.begin()}).c_str());
    ended.erase(ended.begin());
  }
  return {};
}

void JobRecords::RemovePrinter(int printer) {
  const std::lock_guard lock(mutex_);
  ended_.erase(printer);
  RemoveFilesOf(folder_, printer);
}

}  // namespace halftoned
