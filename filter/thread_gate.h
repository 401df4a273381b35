// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// So many threads of all filters of a machine work at a time, however many jobs
// there are: a thread of ours needs one of the machine's slots.

#ifndef HALFTONED_FILTER_THREAD_GATE_H_
#define HALFTONED_FILTER_THREAD_GATE_H_

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/machine_slots.h"
#include "halftone/pool.h"

namespace halftoned {

class ThreadGate : public Pool::Gate {
 public:
  // slots: at least 1.
  ThreadGate(std::string file, int slots)
      : file_(std::move(file)), slots_(slots) {}

  // Where there are no slots to be had at all, threads do as they like: a job
  // must not fail of it.
  bool TryEnter(int thread) override;
  void Leave(int thread) override;

 private:
  struct Place {
    std::unique_ptr<MachineSlot> slot;  // none: it cannot be had
    bool holds = false;
  };

  const std::string file_;
  const int slots_;
  std::map<int, Place> places_;  // by thread
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_THREAD_GATE_H_
