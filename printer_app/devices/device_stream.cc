// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/device_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

namespace halftoned {
namespace {

constexpr int kLookMilliseconds = 200;  // whether the job is canceled
constexpr std::chrono::seconds kMostSecondsOfEnd{5};

bool IsSocket(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISSOCK(status.st_mode);
}

// Whether the file is ready now, or the other end has closed it.
bool WaitFor(int file, short events) {
  pollfd wait = {file, events, 0};
  return poll(&wait, 1, kLookMilliseconds) > 0;
}

}  // namespace

DeviceStream::DeviceStream(Descriptor printer)
    : printer_(std::move(printer)), is_socket_(IsSocket(printer_.get())) {
  const int flags = fcntl(printer_.get(), F_GETFL);
  fcntl(printer_.get(), F_SETFL, flags | O_NONBLOCK);
}

DeviceStream::DeviceStream(Descriptor printer, Descriptor acknowledgements,
                           Child program)
    : DeviceStream(std::move(printer)) {
  acknowledgements_ = std::move(acknowledgements);
  program_.emplace(std::move(program));
}

DeviceStream::~DeviceStream() {
  printer_.Close();
  if (!program_) return;
  // It ends by itself, unless the printer does not take what a canceled job
  // has left.
  const Result<Stop> never = Stop::Make();
  if (handed_on_ == sent_ && never.ok()) {
    (void)program_->Finish(*never, kMostSecondsOfEnd).ok();
  }
}

bool DeviceStream::IsGone() const {
  pollfd look = {printer_.get(), POLLRDHUP, 0};
  return poll(&look, 1, 0) > 0;
}

bool DeviceStream::Send(std::string_view bytes,
                        const std::function<bool()>& is_canceled) {
  rest_.append(bytes);
  if (rest_.empty()) return true;
  Step step = Write(is_canceled);
  if (step == Step::kDone) step = WaitForProgram(is_canceled);
  return step != Step::kFailed || is_canceled();
}

DeviceStream::Step DeviceStream::Write(
    const std::function<bool()>& is_canceled) {
  size_t sent = 0;
  Step step = Step::kDone;
  while (sent < rest_.size()) {
    const char* at = rest_.data() + sent;
    const size_t left = rest_.size() - sent;
    const ssize_t count = is_socket_
                              ? send(printer_.get(), at, left, MSG_NOSIGNAL)
                              : write(printer_.get(), at, left);
    if (count >= 0) {
      sent += static_cast<size_t>(count);
      sent_ += static_cast<uint64_t>(count);
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) {
      step = Step::kFailed;
      break;
    }
    if (is_canceled()) {
      step = Step::kCanceled;
      break;
    }
    WaitFor(printer_.get(), POLLOUT);
  }
  rest_.erase(0, sent);
  return step;
}

DeviceStream::Step DeviceStream::WaitForProgram(
    const std::function<bool()>& is_canceled) {
  while (program_ && handed_on_ < sent_) {
    if (is_canceled()) return Step::kCanceled;
    if (!WaitFor(acknowledgements_.get(), POLLIN)) continue;
    if (read(acknowledgements_.get(), &handed_on_, sizeof(handed_on_)) !=
        sizeof(handed_on_)) {
      return Step::kFailed;
    }
  }
  return Step::kDone;
}

}  // namespace halftoned
