// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/driver_process.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "print/process/pipe.h"

namespace halftoned {
namespace {

constexpr size_t kPipeBytes = size_t{1} << 16;
constexpr size_t kMaxLine = 2048;
constexpr int kCancelMilliseconds = 100;  // between looks whether it is
constexpr auto kGrace = std::chrono::milliseconds(500);

void SetNonBlocking(const Descriptor& descriptor) {
  ::fcntl(descriptor.get(), F_SETFL,
          ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

bool IsTransient() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

Result<std::unique_ptr<DriverProcess>> DriverProcess::Start(
    const DriverJob& job, std::vector<std::string> words,
    std::vector<std::string> environment) {
  HALFTONED_TRY_ASSIGN(Stop stop, Stop::Make());
  HALFTONED_TRY_ASSIGN(Pipe input, Pipe::Make());
  HALFTONED_TRY_ASSIGN(Pipe output, Pipe::Make());
  HALFTONED_TRY_ASSIGN(Pipe messages, Pipe::Make());
  HALFTONED_TRY_ASSIGN(Child child,
                       Child::Start({.name = "the driver",
                                     .words = std::move(words),
                                     .environment = std::move(environment),
                                     .input = input.reading.get(),
                                     .output = output.writing.get(),
                                     .messages = messages.writing.get()}));
  SetNonBlocking(input.writing);
  SetNonBlocking(output.reading);
  SetNonBlocking(messages.reading);
  return std::unique_ptr<DriverProcess>(new DriverProcess(
      job, std::move(stop), std::move(child), std::move(input.writing),
      std::move(output.reading), std::move(messages.reading)));
}

DriverProcess::DriverProcess(const DriverJob& job, Stop stop, Child child,
                             Descriptor input, Descriptor output,
                             Descriptor messages)
    : job_(job),
      stop_(std::move(stop)),
      child_(std::move(child)),
      input_(std::move(input)),
      output_(std::move(output)),
      messages_(std::move(messages)) {}

Result<void> DriverProcess::Write(std::span<const std::byte> bytes,
                                  std::string& out) {
  while (!bytes.empty()) {
    if (job_.is_canceled()) return IoError("the job was canceled");
    if (!input_.open()) return Failure("the driver has stopped reading");
    HALFTONED_TRY(Pump(bytes, out, kCancelMilliseconds));
  }
  return {};
}

Result<void> DriverProcess::Finish(std::string& out) {
  input_.Close();
  std::span<const std::byte> none;
  while (output_.open() || messages_.open()) {
    if (job_.is_canceled()) return IoError("the job was canceled");
    HALFTONED_TRY(Pump(none, out, kCancelMilliseconds));
  }
  return child_->Finish(stop_);
}

void DriverProcess::End(std::string& out) {
  child_->Terminate();
  input_.Close();
  std::span<const std::byte> none;
  const auto end = std::chrono::steady_clock::now() + kGrace;
  while (output_.open() && std::chrono::steady_clock::now() < end) {
    if (!Pump(none, out, 10).ok()) break;
  }
  output_.Close();
  messages_.Close();
}

Result<void> DriverProcess::Pump(std::span<const std::byte>& bytes,
                                 std::string& out, int milliseconds) {
  pollfd waits[] = {{bytes.empty() ? -1 : input_.get(), POLLOUT, 0},
                    {output_.get(), POLLIN, 0},
                    {messages_.get(), POLLIN, 0}};
  if (::poll(waits, 3, milliseconds) <= 0) return {};
  if (waits[1].revents) {
    const size_t size = out.size();
    out.resize(size + kPipeBytes);
    const ssize_t more = ::read(output_.get(), out.data() + size, kPipeBytes);
    const bool is_closed = more == 0 || (more < 0 && !IsTransient());
    out.resize(size + (more > 0 ? static_cast<size_t>(more) : 0));
    if (is_closed) output_.Close();
    if (out.size() >= kPipeBytes && !job_.send(out)) {
      return IoError("the printer accepts no more data");
    }
  }
  if (waits[2].revents) ReadMessages();
  if (waits[0].revents) {
    const ssize_t written = ::write(input_.get(), bytes.data(), bytes.size());
    if (written > 0) bytes = bytes.subspan(static_cast<size_t>(written));
    if (written < 0 && !IsTransient()) input_.Close();
  }
  return {};
}

void DriverProcess::ReadMessages() {
  char bytes[4096];
  const ssize_t size = ::read(messages_.get(), bytes, sizeof(bytes));
  if (size < 0 && IsTransient()) return;
  if (size <= 0) messages_.Close();
  for (ssize_t i = 0; i < size; ++i) {
    if (bytes[i] != '\n') {
      if (line_.size() < kMaxLine) line_ += bytes[i];
      continue;
    }
    job_.log(line_);
    line_.clear();
  }
  if (size <= 0 && !line_.empty()) job_.log(line_);
}

// It has closed its input.
Result<void> DriverProcess::Failure(const char* otherwise) {
  std::string rest;
  End(rest);
  HALFTONED_TRY(child_->Finish(stop_));
  return BadInput(otherwise);
}

}  // namespace halftoned
