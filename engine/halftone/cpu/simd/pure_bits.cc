// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once for each target; the probes of targets.cc choose.

#define HWY_DISABLED_TARGETS \
  (HWY_SSE4 | HWY_AVX3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#define HWY_WANT_AVX3_DL

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "halftone/cpu/simd/pure_bits.cc"
#include "halftone/cpu/simd/pure_bits.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "halftone/cpu/simd/core.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace halftoned::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The words of 64 columns, of which the first `columns` exist.
template <typename Sample>
void PureBitsOfTail(const Sample* row, size_t columns, const PureLimits& limits,
                    uint64_t& black, uint64_t& white) {
  black = white = 0;
  for (size_t j = 0; j < columns; ++j) {
    const auto light = static_cast<Sample>(row[j] ^ limits.flip);
    black |= uint64_t{light < limits.black_end} << j;
    white |= uint64_t{light >= limits.white_begin} << j;
  }
}

PureKinds KindsOf(const PureRow& pure, size_t columns) {
  uint64_t black = 0;
  uint64_t white = 0;
  uint64_t gray = 0;
  const size_t words = columns / 64;
  for (size_t word = 0; word < words; ++word) {
    black |= pure.black[word];
    white |= pure.white[word];
    gray |= ~(pure.black[word] | pure.white[word]);
  }
  if (columns % 64 != 0) {
    black |= pure.black[words];
    white |= pure.white[words];
    gray |= ~(pure.black[words] | pure.white[words]) &
            ((uint64_t{1} << columns % 64) - 1);
  }
  return {black != 0, white != 0, gray != 0};
}

template <typename Sample>
PureKinds PureBitsOfRow(const std::byte* bytes, size_t columns,
                        const PureLimits& limits, const PureRow& pure) {
  uint64_t* const black = pure.black;
  uint64_t* const white = pure.white;
  const auto* row = reinterpret_cast<const Sample*>(bytes);
  const size_t words = columns / 64;
#if HWY_TARGET != HWY_SCALAR
  // Samples with the highest bit turned compare as signed numbers, which every
  // processor can.
  using Signed = hwy::MakeSigned<Sample>;
  const auto as_signed = [](int sample) {
    return static_cast<Signed>(sample + hwy::LimitsMin<Signed>());
  };
  const hn::CappedTag<Signed, 64> d;
  const auto flip = hn::Set(d, as_signed(limits.flip));
  const auto black_end = hn::Set(d, as_signed(limits.black_end));
  const auto below_white = hn::Set(d, as_signed(limits.white_begin - 1));
  const auto* signed_row = reinterpret_cast<const Signed*>(row);
  for (size_t word = 0; word < words; ++word) {
    auto* const black_bytes = reinterpret_cast<uint8_t*>(black + word);
    auto* const white_bytes = reinterpret_cast<uint8_t*>(white + word);
    for (size_t j = 0; j < 64; j += hn::Lanes(d)) {
      const auto light =
          hn::Xor(hn::LoadU(d, signed_row + 64 * word + j), flip);
      hn::StoreMaskBits(d, hn::Lt(light, black_end), black_bytes + j / 8);
      hn::StoreMaskBits(d, hn::Gt(light, below_white), white_bytes + j / 8);
    }
  }
  // Fewer than 64 bits may be stored as 64.
  black[words] = white[words] = 0;
#else
  for (size_t word = 0; word < words; ++word) {
    PureBitsOfTail(row + 64 * word, 64, limits, black[word], white[word]);
  }
#endif
  if (columns % 64 != 0) {
    PureBitsOfTail(row + 64 * words, columns % 64, limits, black[words],
                   white[words]);
  }
  return KindsOf(pure, columns);
}

// The union of some words of three rows, widened by one column.
template <class D>
HWY_INLINE hn::VFromD<D> Near(D d, const uint64_t* above, const uint64_t* here,
                              const uint64_t* below) {
  const auto rows = [&](ptrdiff_t at) {
    return hn::Or(hn::Or(hn::LoadU(d, above + at), hn::LoadU(d, here + at)),
                  hn::LoadU(d, below + at));
  };
  const auto middle = rows(0);
  const auto left =
      hn::Or(hn::ShiftLeft<1>(middle), hn::ShiftRight<63>(rows(-1)));
  const auto right =
      hn::Or(hn::ShiftRight<1>(middle), hn::ShiftLeft<63>(rows(1)));
  return hn::Or(middle, hn::Or(left, right));
}

// The pixels of `here` to be snapped, of some words.
template <class D>
HWY_INLINE hn::VFromD<D> Edges(D d, const PureRow& above, const PureRow& here,
                               const PureRow& below, size_t word) {
  const auto pure =
      hn::Or(hn::LoadU(d, here.black + word), hn::LoadU(d, here.white + word));
  return hn::AndNot(
      pure,
      hn::And(
          Near(d, above.black + word, here.black + word, below.black + word),
          Near(d, above.white + word, here.white + word, below.white + word)));
}

// Snaps some of 64 pixels, one by one.
template <typename Sample>
void SnapPixels(uint64_t edges, const PureLimits& limits, uint16_t white_from,
                Sample* pixels) {
  for (; edges != 0; edges &= edges - 1) {
    Sample& sample = pixels[std::countr_zero(edges)];
    const bool is_white =
        static_cast<Sample>(sample ^ limits.flip) >= white_from;
    sample = static_cast<Sample>((is_white ? ~0u : 0u) ^ limits.flip);
  }
}

// Snaps some of 64 pixels.
template <typename Sample>
HWY_INLINE void SnapWord(const uint8_t* edges, const PureLimits& limits,
                         uint16_t white_from, Sample* pixels) {
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<Sample, 64> d;
  const auto flip = hn::Set(d, static_cast<Sample>(limits.flip));
  const auto below_white = hn::Set(d, static_cast<Sample>(white_from - 1));
  for (size_t j = 0; j < 64; j += hn::Lanes(d)) {
    const auto sample = hn::LoadU(d, pixels + j);
    const auto white = hn::Gt(hn::Xor(sample, flip), below_white);
    const auto snapped = hn::Xor(hn::VecFromMask(d, white), flip);
    const auto is_edge = hn::LoadMaskBits(d, edges + j / 8);
    hn::StoreU(hn::IfThenElse(is_edge, snapped, sample), d, pixels + j);
  }
#else
  uint64_t word;
  std::memcpy(&word, edges, sizeof(word));
  SnapPixels(word, limits, white_from, pixels);
#endif
}

template <typename Sample>
void SnapRow(const PureRow& above, const PureRow& here, const PureRow& below,
             const PureLimits& limits, uint16_t white_from, std::byte* bytes,
             size_t columns) {
  auto* const row = reinterpret_cast<Sample*>(bytes);
  const size_t words = columns / 64;
  const hn::CappedTag<uint64_t, 8> d;
  const hn::CappedTag<uint64_t, 1> one;
  uint64_t edges[8 + 1] = {};  // eight bytes are read from any byte on
  size_t word = 0;
  for (; word + hn::Lanes(d) <= words; word += hn::Lanes(d)) {
    const auto found = Edges(d, above, here, below, word);
    if (hn::AllTrue(d, hn::Eq(found, hn::Zero(d)))) continue;
    hn::StoreU(found, d, edges);
    for (size_t k = 0; k < hn::Lanes(d); ++k) {
      SnapWord(reinterpret_cast<const uint8_t*>(edges + k), limits, white_from,
               row + 64 * (word + k));
    }
  }
  for (; 64 * word < columns; ++word) {
    uint64_t found = hn::GetLane(Edges(one, above, here, below, word));
    if (columns - 64 * word < 64) {
      found &= (uint64_t{1} << columns % 64) - 1;
    }
    SnapPixels(found, limits, white_from, row + 64 * word);
  }
}

template <typename Sample>
PureKernels KernelsOf(std::string_view target) {
  return {target, PureBitsOfRow<Sample>, SnapRow<Sample>};
}

PureKernels PureKernelsHere(std::string_view target, Depth depth) {
  return depth == Depth::k8 ? KernelsOf<uint8_t>(target)
                            : KernelsOf<uint16_t>(target);
}

}  // namespace halftoned::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace halftoned::simd {
namespace {

struct Choice {
  std::string_view target;
  PureKernels (*kernels)(std::string_view target, Depth depth);
};

}  // namespace

PureKernels FastestPureKernels(Depth depth) {
  return PureKernelsFor(depth).front();
}

std::vector<PureKernels> PureKernelsFor(Depth depth) {
  const std::vector<Choice> choices = {
#if HWY_TARGETS & HWY_AVX3_DL
    {"avx512", N_AVX3_DL::PureKernelsHere},
#endif
#if HWY_TARGETS & HWY_AVX2
    {"avx2", N_AVX2::PureKernelsHere},
#endif
#if HWY_TARGETS & HWY_SSSE3
    {"ssse3", N_SSSE3::PureKernelsHere},
#endif
  };
  std::vector<PureKernels> kernels;
  for (const Choice& choice : choices) {
    for (const Target& target : Targets()) {
      if (target.name == choice.target && target.runs_here()) {
        kernels.push_back(choice.kernels(choice.target, depth));
      }
    }
  }
  kernels.push_back(HWY_STATIC_DISPATCH(PureKernelsHere)("portable", depth));
  return kernels;
}

}  // namespace halftoned::simd

#endif  // HWY_ONCE
