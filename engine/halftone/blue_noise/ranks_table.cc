// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/blue_noise/ranks.h"

namespace halftoned {
namespace {

// Written by cmake/make_blue_noise.cc.
constexpr uint16_t kRanks[kBlueNoiseSide * kBlueNoiseSide] = {
#include "halftone/blue_noise/ranks.inc"
};

}  // namespace

std::span<const uint16_t> BlueNoiseRanks() { return kRanks; }

}  // namespace halftoned
