// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/polled_io.h"

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

constexpr char kStopped[] = "the job was canceled";

// Renderers write row by row. In a pipe of the usual 64 KiB, the renderer and
// this process would wait for each other a thousand times per page. A larger
// pipe than this needs a privilege.
constexpr int kPipeBytes = 1 << 20;

// A reader that takes each row as it arrives is woken, and contends for the
// pipe, for each row: with 40 pages of text, both processes took 1.72 s of CPU
// time instead of 1.17, and 37,000 context switches instead of 6,000 (EPYC, 2
// cores). In the shortest pause a renderer fills a quarter of the pipe.
constexpr std::chrono::nanoseconds kShortestPause{100'000};
constexpr std::chrono::nanoseconds kLongestPause{1'000'000};

// The same for a driver that reads row by row: it empties less than half of the
// pipe in this time.
constexpr std::chrono::nanoseconds kShortPause{200'000};

// 0 if it cannot be determined, which matches no kind.
mode_t KindOf(int fd) {
  struct stat status;
  return ::fstat(fd, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

// If a pipe has less room than this, a write waits for more.
constexpr size_t kManyBytes = size_t{64} << 10;
constexpr size_t kPageBytes = 4096;

// The size of the pipe, made large if this user may; 0: not a pipe.
size_t PipeBytes(int fd) {
  if (KindOf(fd) != S_IFIFO) return 0;
  int bytes = ::fcntl(fd, F_GETPIPE_SZ);
  if (bytes < kPipeBytes) bytes = ::fcntl(fd, F_SETPIPE_SZ, kPipeBytes);
  if (bytes < 0) bytes = ::fcntl(fd, F_GETPIPE_SZ);
  return bytes > 0 ? static_cast<size_t>(bytes) : PIPE_BUF;
}

size_t Unread(int fd) {
  int unread = 0;
  return ::ioctl(fd, FIONREAD, &unread) == 0 ? static_cast<size_t>(unread) : 0;
}

}  // namespace

Result<PolledInput> PolledInput::Make(int fd, const Stop& stop) {
  HALFTONED_TRY_ASSIGN(Stop cancelled, Stop::Make());
  return PolledInput(fd, stop, std::move(cancelled), PipeBytes(fd));
}

void PolledInput::Gather(size_t wanted) {
  if (pipe_bytes_ < kPipeBytes) return;
  const size_t enough = std::min(wanted, pipe_bytes_ / 2);
  if (Unread(fd_) >= enough) return;
  pause_ = std::clamp(pause_, kShortestPause, kLongestPause);
  const timespec pause = {0, static_cast<long>(pause_.count())};
  // poll always reports the end of the pipe, which ends the wait too.
  pollfd waits[] = {
      {fd_, 0, 0}, {stop_->fd(), POLLIN, 0}, {cancelled_.fd(), POLLIN, 0}};
  ::ppoll(waits, 3, &pause, nullptr);
  const size_t unread = Unread(fd_);
  if (unread < enough / 2) pause_ *= 2;
  if (unread > pipe_bytes_ / 4 * 3) pause_ /= 2;
}

Result<size_t> PolledInput::Read(std::span<std::byte> room) {
  for (;;) {
    pollfd waits[] = {{fd_, POLLIN, 0},
                      {stop_->fd(), POLLIN, 0},
                      {cancelled_.fd(), POLLIN, 0}};
    if (::poll(waits, 3, -1) < 0 && errno != EINTR) {
      return ErrnoError(ErrorCode::kIo, "cannot wait for the raster");
    }
    if (is_stopped()) return IoError(kStopped);
    if (waits[0].revents == 0) continue;
    if (waits[0].revents == POLLIN) Gather(room.size());
    if (is_stopped()) return IoError(kStopped);
    const ssize_t got = ::read(fd_, room.data(), room.size());
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR && errno != EAGAIN) {
      return ErrnoError(ErrorCode::kIo, "cannot read the raster");
    }
  }
}

PolledOutput::PolledOutput(int fd, const Stop& stop)
    : fd_(fd), stop_(&stop), pipe_bytes_(PipeBytes(fd)) {
  const mode_t kind = KindOf(fd);
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

// The kernel appends a piece to the last page of the previous piece if it fits;
// otherwise both together exceed a page. So, except at the ends, the pipe's
// pages are on average at least half full.
size_t PolledOutput::AtomicBytes() const {
  const size_t unread = Unread(fd_);
  const size_t taken = unread == 0 ? 0 : 2 * unread + 3 * kPageBytes;
  return std::max<size_t>(taken < pipe_bytes_ ? pipe_bytes_ - taken : 0,
                          PIPE_BUF);
}

size_t PolledOutput::NextPiece(size_t size, size_t done, size_t row) const {
  const size_t into_row = done % row;
  const size_t rest_of_row = std::min(row - into_row, size - done);
  if (stopping()) return into_row == 0 ? 0 : rest_of_row;
  if (pipe_bytes_ == 0) return size - done;
  if (into_row != 0) return rest_of_row;
  size_t room = AtomicBytes();
  if (room < kManyBytes && pipe_bytes_ >= kPipeBytes) {
    Pause();
    room = AtomicBytes();
  }
  const size_t rows = room / row;
  return rows == 0 ? size - done : std::min(rows * row, size - done);
}

void PolledOutput::Pause() const {
  pollfd waits[] = {{fd_, 0, 0}, {stop_->fd(), POLLIN, 0}};
  const timespec pause = {0, kShortPause.count()};
  ::ppoll(waits, 2, &pause, nullptr);
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
