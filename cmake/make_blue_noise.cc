// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build runs this program: it writes the ranks of the `blue-noise` mask,
// row by row, as the elements of a C++ array.

#include <cstdint>
#include <cstdio>

#include "halftone/blue_noise/ranks.h"

int main() {
  for (const uint16_t rank : halftoned::MakeBlueNoiseRanks()) {
    std::printf("%d,\n", int{rank});
  }
  return std::ferror(stdout) || std::fflush(stdout) != 0;
}
