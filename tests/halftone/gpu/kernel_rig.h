// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernel alone: pages are laid out in device memory by hand, to
// arrange every split, overlap and fault. All device memory is poisoned before
// each run. A CUDA error ends the process with a message.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tests/equality/oracle.h"

namespace halftoned::testing {

struct KernelRun {
  const GrayPage& gray;
  const Recipe& recipe;
  std::optional<Carry> above = {};
  std::vector<int32_t> bands = {};  // rows of each; none: the whole page
  // All bands' kernels at once, each on a stream of its own; at most 8.
  bool overlap = false;
  bool backwards = false;  // and the last band's kernel first
};

class KernelRig {
 public:
  KernelRig();
  ~KernelRig();

  BitPage Do(const KernelRun& run);

  // Several pages in one launch; what they share is taken from the first.
  std::vector<BitPage> DoBatch(const std::vector<KernelRun>& runs);

  // Whether a kernel whose carry never comes gives up: for want of patience,
  // or because it is called off.
  bool GivesUp(const GrayPage& gray, const Recipe& recipe, bool call_off);

 private:
  class Bench;
  std::unique_ptr<Bench> bench_;
};

}  // namespace halftoned::testing
