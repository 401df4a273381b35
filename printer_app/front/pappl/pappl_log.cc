// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/pappl_log.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace halftoned {
namespace {

constexpr std::string_view kLevelLetters = "DIWEF";  // of levels

// Starts of PAPPL's lines, and the names that limits and reports use.
constexpr std::pair<std::string_view, const char*> kCauses[] = {
    {"[Client ", "clients in PAPPL"},
    {"[Job ", "jobs in PAPPL"},
    {"[Printer ", "printers in PAPPL"}};

std::string CauseOf(std::string_view text) {
  for (const auto& [start, cause] : kCauses) {
    if (text.starts_with(start)) return cause;
  }
  return "PAPPL";
}

}  // namespace

Result<void> PapplLog::Open() {
  if (mkfifo(path_.c_str(), S_IRUSR | S_IWUSR) != 0 && errno != EEXIST) {
    return ErrnoError(ErrorCode::kIo, path_);
  }
  // For writing too: otherwise the pipe would end with each of PAPPL's
  // processes.
  HALFTONED_TRY_ASSIGN(
      pipe_, Descriptor::Open(path_, O_RDWR | O_NONBLOCK | O_NOFOLLOW));
  struct stat status;
  if (fstat(pipe_.get(), &status) != 0 || !S_ISFIFO(status.st_mode)) {
    return BadInput(path_ + ": is not a pipe");
  }
  return {};
}

void PapplLog::Run() {
  constexpr int kReportMilliseconds = 5000;
  pollfd wait = {pipe_.get(), POLLIN, 0};
  while (true) {
    poll(&wait, 1, kReportMilliseconds);
    Take();
    log_.Report();
  }
}

void PapplLog::Take() {
  const std::lock_guard lock(mutex_);
  char room[4096];
  for (ssize_t size; (size = read(pipe_.get(), room, sizeof(room))) > 0;) {
    rest_.append(room, static_cast<size_t>(size));
    size_t at = 0;
    for (size_t end; (end = rest_.find('\n', at)) != rest_.npos; at = end + 1) {
      WriteLine(std::string_view(rest_).substr(at, end - at));
    }
    rest_.erase(0, at);
  }
}

void PapplLog::End() {
  Take();
  log_.ReportAll();
}

// line = level(1) " [" time "] " text
void PapplLog::WriteLine(std::string_view line) const {
  const size_t level = kLevelLetters.find(line.substr(0, 1));
  const size_t time = line.find("] ");
  if (line.substr(1, 2) != " [" || level == line.npos || time == line.npos) {
    log_.Write(FrontLog::kError, std::string(line), LogLimit::Client{"PAPPL"});
    return;
  }
  const std::string_view text = line.substr(time + 2);
  log_.Write(static_cast<FrontLog::Level>(level), std::string(text),
             LogLimit::Client{CauseOf(text)});
}

}  // namespace halftoned
