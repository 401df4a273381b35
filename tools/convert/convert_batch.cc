// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/convert_batch.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <system_error>
#include <thread>

#include "base/json.h"

namespace halftoned {
namespace {

// While one file waits for the disk, another is halftoned. More files at the
// same time would only use memory.
constexpr size_t kMaxFilesAtOnce = 4;

// Starts up to `count` threads in addition to this one. If the system does not
// allow as many, fewer threads do the same work.
template <typename Work>
std::vector<std::thread> StartHelpers(Work work, size_t count) {
  std::vector<std::thread> helpers;
  helpers.reserve(count);
  try {
    while (helpers.size() < count) helpers.emplace_back(work);
  } catch (const std::system_error&) {
  }
  return helpers;
}

}  // namespace

ClosedPipe::ClosedPipe() {
  struct sigaction action;
  ends_program_ = ::sigaction(SIGPIPE, nullptr, &action) == 0 &&
                  action.sa_handler == SIG_DFL;
}

bool ClosedPipe::is_silent() const {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ends_program_ && ::poll(&output, 1, 0) == 1 &&
         (output.revents & POLLERR) != 0;
}

void ClosedPipe::End() {
  ::signal(SIGPIPE, SIG_DFL);
  ::raise(SIGPIPE);
}

int ConvertBatch::Run() {
  const auto threads = static_cast<size_t>(settings_.pool->threads());
  const size_t at_once = std::min({jobs_.size(), kMaxFilesAtOnce, threads});
  std::vector<std::thread> helpers =
      StartHelpers([this] { RunSome(); }, std::max<size_t>(at_once, 1) - 1);
  RunSome();
  for (std::thread& helper : helpers) helper.join();
  if (manifest_) {
    const auto listed = manifest_->Commit();
    if (!listed.ok()) Fail(listed.error());
  }
  return status_;
}

void ConvertBatch::RunSome() {
  Flow flow;
  for (size_t i = next_++; i < jobs_.size(); i = next_++) {
    const auto report = Convert(jobs_[i], settings_, flow, pending_, console_);
    console_.EndFile();
    if (!report.ok()) {
      Fail(report.error());
      continue;
    }
    const auto told = Tell(jobs_[i], *report);
    if (!told.ok()) Fail(told.error());
  }
}

Result<void> ConvertBatch::Tell(const ConvertJob& job, const Report& report) {
  if (manifest_) HALFTONED_TRY(manifest_->Add(job, report));
  if (!json_ || report.pages == 0) return {};
  return console_.PrintReport(job, report, settings_.engine->name());
}

void ConvertBatch::Fail(const Error& error) {
  status_ = 1;
  const bool is_of_output = error.message.starts_with("standard output: ");
  if (is_of_output && pipe_.is_silent()) {
    is_pipe_closed_ = true;
  } else {
    console_.ShowError(error);
  }
}

namespace {

std::string LineOf(const ConvertJob& job, const Report& report,
                   const OutputRecord& output) {
  Json json;
  json["input"] = job.input;
  json["output"] = output.path;
  json["pages"] = output.pages;
  if (output.digest) {
    json["bytes"] = output.digest->bytes;
    json["xxh128"] = output.digest->digits;
  }
  json["kept"] = output.is_kept;
  json["seconds"] = RoundedTo(1e6, report.total.count());
  return JsonLine(json);
}

}  // namespace

Result<Manifest> Manifest::Create(const std::string& path,
                                  PendingFiles& pending) {
  auto file = OutputFile::Create(path, pending);
  if (!file.ok()) return InFile(path, file.error());
  return Manifest(path, std::move(*file));
}

Result<void> Manifest::Add(const ConvertJob& job, const Report& report) {
  std::string lines;
  for (const OutputRecord& output : report.outputs) {
    lines += LineOf(job, report, output);
  }
  const std::lock_guard lock(*mutex_);
  const auto written = file_->Write(std::as_bytes(std::span(lines)));
  return written.ok() ? written : InFile(path_, written.error());
}

Result<void> Manifest::Commit() {
  const auto committed = file_->Commit();
  return committed.ok() ? committed : InFile(path_, committed.error());
}

}  // namespace halftoned
