// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/job_records.h"

#include <cups/ipp.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include "base/descriptor.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/kept/state_file.h"
#include "printer_app/kept/whole_file.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

// A title and a user's name, with a backslash before each byte, and numbers.
constexpr size_t kLongestRecord = 4096;

using Line = std::optional<std::string>;

// The first line, if this is a file and the line is complete.
Result<Line> LineIn(const std::string& path) {
  const auto file = OpenSpooled(path);
  if (!file.ok() && file.error().code == ErrorCode::kBadInput) return Line();
  if (!file.ok()) return file.error();
  std::string text(kLongestRecord, '\0');
  const auto size =
      ReadFully(file->get(), std::as_writable_bytes(std::span(text)));
  if (!size.ok()) return IoError(path + ": " + size.error().message);
  const size_t end = text.find('\n');
  if (end >= *size || text.find('\0') < end || !text.starts_with("Job ")) {
    return Line();
  }
  return Line(text.substr(0, end));
}

}  // namespace

std::string JobRecords::PathOf(JobNumber number) const {
  return folder_ + '/' + SpoolName(number);
}

Result<JobRecords::Found> JobRecords::Read() {
  Found found;
  std::vector<fs::path> others;
  HALFTONED_TRY_ASSIGN(const auto files, FilesIn(folder_));
  for (const fs::path& path : files) {
    const auto number = JobOfFile(path.filename().string());
    Line line;
    if (number && path == PathOf(*number)) {
      HALFTONED_TRY_ASSIGN(line, LineIn(path));
    }
    if (!line) {
      others.push_back(path);
      continue;
    }
    found.lines[*number] = *line;
    if (StateLine(*line).Number("state") >= IPP_JSTATE_CANCELED) {
      ended_[number->printer].insert(number->job);
    }
  }
  for (const fs::path& path : others) {
    std::error_code error;
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
