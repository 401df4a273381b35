// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether PAPPL still answers. It takes locks in two orders, so it can hang,
// for example while the disk is full. The front end asks it for a small page
// that needs those locks. Nothing here waits.

#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "base/descriptor.h"

namespace halftoned {

class PapplPulse {
 public:
  using Clock = std::chrono::steady_clock;

  // socket: PAPPL's. most: how long it may be silent.
  PapplPulse(std::string socket, std::chrono::seconds most)
      : socket_(std::move(socket)), most_(most) {}

  // Looks for the answer, or asks again if it is time. is_idle: no client is
  // connected, so it asks less often. True: PAPPL has been silent for too long.
  bool IsSilent(Clock::time_point now, bool is_idle);
  // Until the next look.
  std::chrono::milliseconds Pause(bool is_idle) const;
  // It is started again.
  void Reset(Clock::time_point now);
  // It waits for something that its end would not change, such as a disk: it
  // gets as much time again.
  void Excuse() { silence_ = Clock::duration::zero(); }

 private:
  void HearAnswer(Clock::time_point now);
  void Ask(Clock::time_point now);
  bool HasAnswered() const;
  Clock::duration Interval(bool is_idle) const;

  const std::string socket_;
  const Clock::duration most_;
  bool is_asked_ = false;
  bool has_listened_ = false;  // since its start
  Descriptor question_;        // not open: it could not be asked
  Clock::time_point last_look_, last_answer_;
  // Time in which this process slept, too, does not count.
  Clock::duration silence_{0};
};

}  // namespace halftoned
