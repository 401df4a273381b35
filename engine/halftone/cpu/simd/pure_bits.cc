// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once for each target; the probes of targets.cc choose.

#define HWY_DISABLED_TARGETS \
  (HWY_SSE4 | HWY_AVX3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#define HWY_WANT_AVX3_DL

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "halftone/cpu/simd/pure_bits.cc"
#include "halftone/cpu/simd/pure_bits.h"

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

template <typename Sample>
void PureBitsOfRow(const std::byte* bytes, size_t columns,
                   const PureLimits& limits, const PureRow& pure) {
  uint64_t* const black = pure.black;
  uint64_t* const white = pure.white;
  const auto* row = reinterpret_cast<const Sample*>(bytes);
  const size_t words = columns / 64;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<Sample, 64> d;
  const auto flip = hn::Set(d, static_cast<Sample>(limits.flip));
  const auto black_end = hn::Set(d, static_cast<Sample>(limits.black_end));
  const auto below_white =
      hn::Set(d, static_cast<Sample>(limits.white_begin - 1));
  for (size_t word = 0; word < words; ++word) {
    auto* const black_bytes = reinterpret_cast<uint8_t*>(black + word);
    auto* const white_bytes = reinterpret_cast<uint8_t*>(white + word);
    for (size_t j = 0; j < 64; j += hn::Lanes(d)) {
      const auto light = hn::Xor(hn::LoadU(d, row + 64 * word + j), flip);
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
  if (columns % 64 == 0) return;
  PureBitsOfTail(row + 64 * words, columns % 64, limits, black[words],
                 white[words]);
}

// The union of three rows, for the words from `at` on, widened by one column.
template <class D>
hn::VFromD<D> Near(D d, const uint64_t* above, const uint64_t* here,
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

template <class D>
bool FindEdges(D d, const PureRow& above, const PureRow& here,
               const PureRow& below, size_t first, size_t end,
               uint64_t* edges) {
  auto any = hn::Zero(d);
  for (size_t k = first; k < end; k += hn::Lanes(d)) {
    const auto pure =
        hn::Or(hn::LoadU(d, here.black + k), hn::LoadU(d, here.white + k));
    const auto between =
        hn::And(Near(d, above.black + k, here.black + k, below.black + k),
                Near(d, above.white + k, here.white + k, below.white + k));
    const auto found = hn::AndNot(pure, between);
    hn::StoreU(found, d, edges + k);
    any = hn::Or(any, found);
  }
  return !hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
}

bool FindEdgesOfRow(const PureRow& above, const PureRow& here,
                    const PureRow& below, size_t words, uint64_t* edges) {
  const hn::ScalableTag<uint64_t> d;
  const hn::CappedTag<uint64_t, 1> one;
  const size_t whole = words - words % hn::Lanes(d);
  const bool any = FindEdges(d, above, here, below, 0, whole, edges);
  return FindEdges(one, above, here, below, whole, words, edges) || any;
}

PureKernels PureKernelsHere(Depth depth) {
  return {depth == Depth::k8 ? PureBitsOfRow<uint8_t> : PureBitsOfRow<uint16_t>,
          FindEdgesOfRow};
}

}  // namespace halftoned::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace halftoned::simd {
namespace {

struct Choice {
  std::string_view target;
  PureKernels (*kernels)(Depth depth);
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
  };
  std::vector<PureKernels> kernels;
  for (const Choice& choice : choices) {
    for (const Target& target : Targets()) {
      if (target.name == choice.target && target.runs_here()) {
        kernels.push_back(choice.kernels(depth));
      }
    }
  }
  kernels.push_back(HWY_STATIC_DISPATCH(PureKernelsHere)(depth));
  return kernels;
}

}  // namespace halftoned::simd

#endif  // HWY_ONCE
