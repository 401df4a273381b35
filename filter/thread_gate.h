// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// So many threads of all filters of a machine work at a time, however many jobs
// there are: a thread of ours needs one of the machine's slots.

#ifndef HALFTONED_FILTER_THREAD_GATE_H_
#define HALFTONED_FILTER_THREAD_GATE_H_

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/machine_slots.h"
#include "halftone/pool.h"

namespace halftoned {

class ThreadGate : public Pool::Gate {
 public:
  // slots: at least 1. patience: of a thread that waits for one.
  ThreadGate(std::string file, int slots,
             std::chrono::milliseconds patience = std::chrono::seconds(5))
      : file_(std::move(file)), slots_(slots), patience_(patience) {}

  // Where there are no slots to be had at all, threads do as they like: a job
  // must not fail of it. Nor may it wait for ever for holders that stand still:
  // a thread out of patience works without one, until there is one again.
  bool TryEnter(int thread) override;
  void Leave(int thread) override;

 private:
  using Clock = std::chrono::steady_clock;

  struct Place {
    std::unique_ptr<MachineSlot> slot;  // none: it cannot be had
    bool holds = false;
    std::optional<Clock::time_point> waits_since;
  };

  const std::string file_;
  const int slots_;
  const std::chrono::milliseconds patience_;
  std::map<int, Place> places_;  // by thread
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_THREAD_GATE_H_
