// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once for each target.

#include "halftone/cpu/simd/disabled_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "halftone/cpu/simd/bits/decided_bits.cc"
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "halftone/cpu/simd/bits/decided_bits.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After those.
#include "halftone/cpu/simd/vectors/operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace halftoned::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename Sample>
size_t DecideRun([[maybe_unused]] std::span<const Sample> samples,
                 [[maybe_unused]] const Sample* limits,
                 [[maybe_unused]] std::byte* bits) {
  size_t j = 0;
#if HWY_TARGET & HALFTONED_CORE_TARGETS
  // Masks have the first column in the lowest bit of a byte.
  alignas(16) static constexpr uint8_t kReversed[2][16] = {
      {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8},
      {14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1}};
  const hn::CappedTag<Sample, 64> d;
  const hn::Repartition<uint8_t, decltype(d)> of_bytes;
  const auto order = hn::LoadDup128(of_bytes, kReversed[sizeof(Sample) - 1]);
  for (; j + hn::Lanes(d) <= samples.size(); j += hn::Lanes(d)) {
    const auto above = hn::VecFromMask(
        d, hn::Gt(hn::LoadU(d, samples.data() + j), hn::LoadU(d, limits + j)));
    const auto reversed =
        hn::BitCast(d, LookUpBytes(hn::BitCast(of_bytes, above), order));
    StoreBits(d, hn::MaskFromVec(reversed),
              reinterpret_cast<uint8_t*>(bits) + j / 8);
  }
#endif
  return j;
}

size_t DecideBytes(std::span<const uint8_t> samples, const uint8_t* limits,
                   std::byte* bits) {
  return DecideRun(samples, limits, bits);
}

size_t DecideWords(std::span<const uint16_t> samples, const uint16_t* limits,
                   std::byte* bits) {
  return DecideRun(samples, limits, bits);
}

}  // namespace halftoned::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace halftoned::simd {
namespace {

struct Decisions {
  std::string_view target;
  DecideBits<uint8_t> bytes;
  DecideBits<uint16_t> words;
};

constexpr Decisions kDecisions[] = {
#if HWY_TARGETS & HWY_AVX3_DL
    {"avx512", N_AVX3_DL::DecideBytes, N_AVX3_DL::DecideWords},
#endif
#if HWY_TARGETS & HWY_AVX2
    {"avx2", N_AVX2::DecideBytes, N_AVX2::DecideWords},
#endif
#if HWY_TARGETS & HWY_SSSE3
    {"ssse3", N_SSSE3::DecideBytes, N_SSSE3::DecideWords},
#endif
#if HWY_TARGETS & HWY_NEON
    {"neon", N_NEON::DecideBytes, N_NEON::DecideWords},
#endif
#if HWY_TARGETS & HWY_WASM
    {"wasm", N_WASM::DecideBytes, N_WASM::DecideWords},
#endif
};

const Decisions& DecisionsOf(const Target& target) {
  const Decisions* found = kDecisions;
  while (found->target != target.name) ++found;
  return *found;
}

}  // namespace

template <>
DecideBits<uint8_t> DecideBitsOf<uint8_t>(const Target& target) {
  return DecisionsOf(target).bytes;
}

template <>
DecideBits<uint16_t> DecideBitsOf<uint16_t>(const Target& target) {
  return DecisionsOf(target).words;
}

}  // namespace halftoned::simd

#endif  // HWY_ONCE
