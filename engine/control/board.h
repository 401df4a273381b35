// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records which connections a worker is working for, and since when each has
// been idle. The record is in memory shared with the supervisor, which can read
// it even after the worker has died. All functions are thread-safe.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/descriptor.h"
#include "base/mapping.h"
#include "base/result.h"

namespace halftoned::daemon {

class Board {
 public:
  // More than the most connections at a time.
  static constexpr size_t kPlaces = 4096;

  // For the supervisor: an empty board, which the worker cannot resize.
  static Result<Board> Make();
  // For the worker: from the file that is fd().
  static Result<Board> Open(Descriptor file);

  int fd() const { return file_.get(); }

  using Clock = std::chrono::steady_clock;

  struct State {
    // The worker handles a frame of this client, or has a band in flight:
    // either could make it die.
    bool is_at_work = false;
    // A band is in flight that does not wait for its client.
    bool keeps_place = false;
    Clock::time_point worked;  // when rows last came from or went to its client

    friend bool operator==(const State&, const State&) = default;
  };

  // A connection, and the place that the supervisor gives it on the board
  // until it ends.
  struct Seat {
    uint64_t connection = 0;  // its number, not 0
    uint32_t place = 0;       // 0 … kPlaces - 1
  };

  void Note(const Seat& seat, const State& state);
  // The last noted state; nothing if there is none.
  std::optional<State> StateOf(const Seat& seat) const;

 private:
  struct Place {
    uint64_t connection;
    uint64_t state;  // nanoseconds of the clock, and two bits
  };

  Board(Descriptor file, Mapping places)
      : file_(std::move(file)), places_(std::move(places)) {}
  Place& At(const Seat& seat) const;

  Descriptor file_;
  Mapping places_;
};

}  // namespace halftoned::daemon
