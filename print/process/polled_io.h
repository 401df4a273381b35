// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes that wait in poll(2), so that a stop ends the wait. It knows
// descriptors, not formats. There are no deadlines: a renderer may compute, and
// a printer may be out of paper, for any time.

#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

#include "base/result.h"
#include "print/process/stop.h"

namespace halftoned {

class PolledInput {
 public:
  // `fd` and `stop` outlive it. `stop` may come from a signal; Cancel uses
  // another stop of the input's own.
  static Result<PolledInput> Make(int fd, const Stop& stop);

  // Reads the available bytes, at most room.size(); 0 at the end of the input.
  // Waits until there are some and, with a large pipe, for a moment until there
  // are many. A requested stop is an error.
  Result<size_t> Read(std::span<std::byte> room);

  // Thread-safe: makes the waiting Read, and every later one, fail.
  void Cancel() { cancelled_.Request(); }

 private:
  PolledInput(int fd, const Stop& stop, Stop cancelled, size_t pipe_bytes)
      : fd_(fd),
        stop_(&stop),
        cancelled_(std::move(cancelled)),
        pipe_bytes_(pipe_bytes) {}

  bool is_stopped() const {
    return stop_->requested() || cancelled_.requested();
  }
  // Waits for a moment if less than `wanted` bytes have arrived.
  void Gather(size_t wanted);

  int fd_;
  const Stop* stop_;
  Stop cancelled_;
  size_t pipe_bytes_;  // 0: not a pipe
  std::chrono::nanoseconds pause_{0};
};

class PolledOutput {
 public:
  // How long a slow reader may delay the end after a stop: enough to finish the
  // current rows.
  static constexpr std::chrono::milliseconds kGrace{400};

  // `fd` and `stop` outlive it. A descriptor that is not a regular file is made
  // non-blocking, and restored on destruction.
  PolledOutput(int fd, const Stop& stop);
  ~PolledOutput();
  PolledOutput(const PolledOutput&) = delete;
  PolledOutput& operator=(const PolledOutput&) = delete;

  // Writes `bytes`: rows of `row_bytes` each, or a single row if that is 0. A
  // stop ends it with an error after a whole row, or within a row if the reader
  // does not take the rest within kGrace. Rows of at most PIPE_BUF bytes are
  // never split in a pipe.
  Result<void> Write(std::span<const std::byte> bytes, size_t row_bytes = 0);

  bool stopping() const { return stop_->requested(); }

 private:
  using Clock = std::chrono::steady_clock;

  // The bytes that the pipe takes in one piece or not at all, provided that we
  // are its only writer: at least PIPE_BUF.
  size_t AtomicBytes() const;
  // How many of `size` bytes to write next after `done`; 0: no more. Waits for
  // a moment if there is room for few.
  size_t NextPiece(size_t size, size_t done, size_t row) const;
  void Pause() const;
  Result<void> WaitForRoom();
  // A timeout for poll: until the grace ends; infinite before a stop.
  int MillisecondsLeft();

  int fd_;
  const Stop* stop_;
  size_t pipe_bytes_;  // 0: not a pipe
  std::optional<Clock::time_point> grace_ends_;
  int flags_to_restore_ = -1;
};

}  // namespace halftoned
