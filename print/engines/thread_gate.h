// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the working threads of all filters of a machine, however many jobs
// there are: each thread needs one of the machine's slots.

#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/machine_slots.h"
#include "halftone/run/pool.h"

namespace halftoned {

class ThreadGate : public Pool::Gate {
 public:
  // slots: at least 1. patience: how long a thread waits for one.
  ThreadGate(std::string file, int slots,
             std::chrono::milliseconds patience = std::chrono::seconds(5))
      : file_(std::move(file)), slots_(slots), patience_(patience) {}

  // If the slots are unusable, every thread may work: the job must not fail
  // because of them. Nor may it wait forever for holders that hang: a thread
  // that has waited for `patience` works without a slot until one is free
  // again.
  bool TryEnter(int thread) override;
  void Leave(int thread) override;

 private:
  using Clock = std::chrono::steady_clock;

  struct Place {
    std::unique_ptr<MachineSlot> slot;  // null: unusable
    bool holds = false;
    std::optional<Clock::time_point> waits_since;
  };

  const std::string file_;
  const int slots_;
  const std::chrono::milliseconds patience_;
  std::map<int, Place> places_;  // by thread
};

}  // namespace halftoned
