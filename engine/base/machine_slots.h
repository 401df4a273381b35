// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// So many slots that all processes of a machine share, through locks on the
// bytes of one file. A lock belongs to an open file: when its holder dies,
// however he dies, the kernel gives it back.

#ifndef HALFTONED_BASE_MACHINE_SLOTS_H_
#define HALFTONED_BASE_MACHINE_SLOTS_H_

#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// One process' or thread's access: it holds one slot at most.
class MachineSlot {
 public:
  // The file is made if it is not there; it must belong to root or to us.
  // slots: at least 1, for all who share it the same.
  static Result<MachineSlot> Open(const std::string& path, int slots);

  // Whether a slot was free, and is held now; an error if the file cannot be
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
  int next_ = 0;  // where to try first
};

}  // namespace halftoned

#endif  // HALFTONED_BASE_MACHINE_SLOTS_H_
