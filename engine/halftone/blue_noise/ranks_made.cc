// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/blue_noise/ranks.h"

namespace halftoned {

std::span<const uint16_t> BlueNoiseRanks() {
  static const std::vector<uint16_t> ranks = MakeBlueNoiseRanks();
  return ranks;
}

}  // namespace halftoned
