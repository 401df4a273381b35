// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/polled_io.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace halftoned {
namespace {

constexpr char kStopped[] = "the job was cancelled";

// Renderers write row by row. In a pipe of the usual 64 KiB they and we would
// wait for each other a thousand times a page. More than this takes a
// privilege.
constexpr int kPipeBytes = 1 << 20;

// 0 if it cannot be determined, which matches no kind.
mode_t KindOf(int fd) {
  struct stat status;
  return ::fstat(fd, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

// The bytes that a pipe with one writer takes in one piece or not at all: its
// whole capacity while it is empty, otherwise what POSIX promises.
size_t AtomicBytes(int pipe) {
  int unread = 0;
  if (::ioctl(pipe, FIONREAD, &unread) != 0 || unread != 0) return PIPE_BUF;
  const int room = ::fcntl(pipe, F_GETPIPE_SZ);
  return std::max<size_t>(room > 0 ? static_cast<size_t>(room) : 0, PIPE_BUF);
}

}  // namespace

Result<PolledInput> PolledInput::Make(int fd, const Stop& stop) {
  HALFTONED_TRY_ASSIGN(Stop cancelled, Stop::Make());
  // Not granted to every user; without it the page only takes longer.
  if (KindOf(fd) == S_IFIFO) ::fcntl(fd, F_SETPIPE_SZ, kPipeBytes);
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
  const mode_t kind = KindOf(fd);
  is_pipe_ = kind == S_IFIFO;
  // A blocking write may wait although poll found room. Files never wait for
  // long.
  if (kind == 0 || kind == S_IFREG) return;
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
    // The stop's descriptor stays readable, so it is polled only before the
    // stop.
    const int ready = ::poll(waits, timeout < 0 ? 2 : 1, timeout);
    if (ready < 0 && errno != EINTR) {
      return ErrnoError(ErrorCode::kIo, "cannot wait for the next program");
    }
    if (ready == 0) return IoError(kStopped);
    // After a stop the caller decides how much is left to write.
    if (ready > 0 && waits[0].revents != 0) return {};
    if (timeout < 0 && stopping()) return {};
  }
}

size_t PolledOutput::NextPiece(size_t size, size_t done, size_t row) const {
  const size_t into_row = done % row;
  const size_t rest_of_row = std::min(row - into_row, size - done);
  if (stopping()) return into_row == 0 ? 0 : rest_of_row;
  if (!is_pipe_) return size - done;
  if (into_row != 0) return rest_of_row;
  const size_t rows = AtomicBytes(fd_) / row;
  return rows == 0 ? size - done : std::min(rows * row, size - done);
}

Result<void> PolledOutput::Write(std::span<const std::byte> bytes,
                                 size_t row_bytes) {
  const size_t row = row_bytes == 0 ? bytes.size() : row_bytes;
  for (size_t done = 0; done < bytes.size();) {
    const size_t piece = NextPiece(bytes.size(), done, row);
    if (piece == 0) return IoError(kStopped);
    const ssize_t put = ::write(fd_, bytes.data() + done, piece);
    if (put >= 0) {
      done += static_cast<size_t>(put);
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
