// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fixed number of slots, shared by all processes of a machine: each slot is a
// lock on one byte of a file. A lock belongs to an open file, so the kernel
// releases it when its holder dies.

#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// Access of one process or thread, which holds at most one slot.
class MachineSlot {
 public:
  // Creates the file if there is none; it must belong to root or to this user.
  // slots: at least 1, and the same for all processes.
  static Result<MachineSlot> Open(const std::string& path, int slots);

  // True if a slot was free and is now held; an error if the file cannot be
  // locked at all. Precondition: none is held.
  Result<bool> TryTake();
  // Precondition: one is held.
  void GiveBack();

 private:
  MachineSlot(Descriptor file, int slots)
      : file_(std::move(file)), slots_(slots) {}

  Descriptor file_;
  int slots_;
  int held_ = -1;
  int next_ = 0;  // tried first
};

}  // namespace halftoned
