// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/polled_io.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace halftoned {
namespace {

constexpr char kStopped[] = "the job was cancelled";

bool IsPipeOrSocket(int fd) {
  struct stat status;
  return ::fstat(fd, &status) == 0 &&
         (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

}  // namespace

Result<PolledInput> PolledInput::Make(int fd, const Stop& stop) {
  HALFTONED_TRY_ASSIGN(Stop cancelled, Stop::Make());
  return PolledInput(fd, stop, std::move(cancelled));
}

Result<size_t> PolledInput::Read(std::span<std::byte> room) {
  for (;;) {
    pollfd waits[] = {{fd_, POLLIN, 0},
                      {stop_->fd(), POLLIN, 0},
                      {cancelled_.fd(), POLLIN, 0}};
    if (::poll(waits, 3, -1) < 0 && errno != EINTR) {
      return ErrnoError(ErrorCode::kIo, "cannot wait for the raster");
    }
    if (stop_->requested() || cancelled_.requested()) return IoError(kStopped);
    if (waits[0].revents == 0) continue;
    const ssize_t got = ::read(fd_, room.data(), room.size());
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR && errno != EAGAIN) {
      return ErrnoError(ErrorCode::kIo, "cannot read the raster");
    }
  }
}

PolledOutput::PolledOutput(int fd, const Stop& stop) : fd_(fd), stop_(&stop) {
  // A write to a pipe may wait even when poll says that there is room.
  if (!IsPipeOrSocket(fd)) return;
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || (flags & O_NONBLOCK) != 0) return;
  if (::fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0) flags_to_restore_ = flags;
}

PolledOutput::~PolledOutput() {
  if (flags_to_restore_ >= 0) ::fcntl(fd_, F_SETFL, flags_to_restore_);
}

int PolledOutput::MillisecondsLeft() {
  if (!stopping()) return -1;
  const auto now = Clock::now();
  if (!grace_ends_) grace_ends_ = now + kGrace;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
      std::max(*grace_ends_ - now, Clock::duration::zero()));
  return static_cast<int>(left.count());
}

Result<void> PolledOutput::WaitForRoom() {
  for (;;) {
    const int timeout = MillisecondsLeft();
    pollfd waits[] = {{fd_, POLLOUT, 0}, {stop_->fd(), POLLIN, 0}};
    // The stop's descriptor stays readable: it is waited for only once.
    const int ready = ::poll(waits, timeout < 0 ? 2 : 1, timeout);
    if (ready < 0 && errno != EINTR) {
      return ErrnoError(ErrorCode::kIo, "cannot wait for the next program");
    }
    if (ready == 0) return IoError(kStopped);
    if (ready > 0 && waits[0].revents != 0) return {};
  }
}

Result<void> PolledOutput::Write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
    if (put >= 0) {
      bytes = bytes.subspan(static_cast<size_t>(put));
    } else if (errno == EAGAIN) {
      HALFTONED_TRY(WaitForRoom());
    } else if (errno == EPIPE) {
      return IoError("the next program of the job has closed its input");
    } else if (errno != EINTR) {
      return ErrnoError(ErrorCode::kIo, "cannot write the page");
    }
  }
  return {};
}

}  // namespace halftoned
