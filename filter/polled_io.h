// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and writing that wait in poll(2), so that a stop ends the wait. It
// knows descriptors, not what flows through them. There are no deadlines: a
// renderer may think, and a printer may be out of paper, for as long as they
// like.

#ifndef HALFTONED_FILTER_POLLED_IO_H_
#define HALFTONED_FILTER_POLLED_IO_H_

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

#include "base/result.h"
#include "filter/stop.h"

namespace halftoned {

class PolledInput {
 public:
  // `fd` and `stop` outlive it. `stop` may come from a signal; the input has
  // a stop of its own beside it, for Cancel.
  static Result<PolledInput> Make(int fd, const Stop& stop);

  // What is there, at most room.size() bytes; 0 at the end of the input. Waits
  // until there is something, or one of the stops is requested: an error.
  Result<size_t> Read(std::span<std::byte> room);

  // From another thread: the Read that waits, and every later one, fails.
  void Cancel() { cancelled_.Request(); }

 private:
  PolledInput(int fd, const Stop& stop, Stop cancelled)
      : fd_(fd), stop_(&stop), cancelled_(std::move(cancelled)) {}

  int fd_;
  const Stop* stop_;
  Stop cancelled_;
};

class PolledOutput {
 public:
  // How long a slow reader may hold up the end after a stop: time to finish
  // the rows under way, and no more.
  static constexpr std::chrono::milliseconds kGrace{400};

  // `fd` and `stop` outlive it. All but a regular file is set to non-blocking,
  // and set back on destruction.
  PolledOutput(int fd, const Stop& stop);
  ~PolledOutput();
  PolledOutput(const PolledOutput&) = delete;
  PolledOutput& operator=(const PolledOutput&) = delete;

  // Writes `bytes`: rows of so many bytes, or one where that is 0. A stop ends
  // it after a whole row, an error; within a row only where the reader does not
  // take the rest of it in kGrace. A pipe never has a part of a row of at most
  // PIPE_BUF bytes.
  Result<void> Write(std::span<const std::byte> bytes, size_t row_bytes = 0);

  bool stopping() const { return stop_->requested(); }

 private:
  using Clock = std::chrono::steady_clock;

  // How much of `size` bytes to write next when some are done; 0: no more.
  size_t NextPiece(size_t size, size_t done, size_t row) const;
  Result<void> WaitForRoom();
  // For poll: until the grace ends, or for ever where there is no stop yet.
  int MillisecondsLeft();

  int fd_;
  const Stop* stop_;
  std::optional<Clock::time_point> grace_ends_;
  int flags_to_restore_ = -1;
  bool is_pipe_ = false;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_POLLED_IO_H_
