// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once for each target; the probes of targets.cc choose.

#include "halftone/cpu/simd/disabled_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "halftone/cpu/simd/bits/pure_bits.cc"
#include <algorithm>
#include <cstring>

#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/cpu/simd/core.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After those.
#include "halftone/cpu/simd/bits/snap-inl.h"
#include "halftone/cpu/simd/vectors/operations-inl.h"

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

// Where a row is white, this many words at a time are compared only with white.
constexpr size_t kWordsAtOnce = 4;

uint64_t AllOf(size_t columns) {
  return columns < 64 ? (uint64_t{1} << columns) - 1 : ~uint64_t{0};
}

// The kinds of pixels of a row, from its bits.
PureKinds KindsOf(const PureRow& pure, size_t columns) {
  const hn::CappedTag<uint64_t, 8> d;
  const size_t words = columns / 64;
  auto blacks = hn::Zero(d);
  auto whites = hn::Zero(d);
  auto both = hn::Not(hn::Zero(d));
  size_t word = 0;
  for (; word + hn::Lanes(d) <= words; word += hn::Lanes(d)) {
    const auto black = hn::LoadU(d, pure.black + word);
    const auto white = hn::LoadU(d, pure.white + word);
    blacks = hn::Or(blacks, black);
    whites = hn::Or(whites, white);
    both = hn::And(both, hn::Or(black, white));
  }
  const auto has_any = [&](hn::VFromD<decltype(d)> bits) HWY_ATTR {
    return !hn::AllTrue(d, hn::Eq(bits, hn::Zero(d)));
  };
  PureKinds kinds{has_any(blacks), has_any(whites), has_any(hn::Not(both))};
  for (; 64 * word < columns; ++word) {
    const uint64_t black = pure.black[word];
    const uint64_t white = pure.white[word];
    kinds.black |= black != 0;
    kinds.white |= white != 0;
    kinds.gray |= (~(black | white) & AllOf(columns - 64 * word)) != 0;
  }
  return kinds;
}

#if HWY_TARGET != HWY_SCALAR
// Finds which samples of a vector are black and which are white. Samples with
// the highest bit turned compare as signed numbers, which every processor can.
template <typename Sample>
class Finder {
 public:
  using T = hwy::MakeSigned<Sample>;
  using D = hn::CappedTag<T, 64>;
  using Unsigned = hn::RebindToUnsigned<D>;

  explicit Finder(const PureLimits& limits)
      : flip_(hn::Set(D(), AsSigned(limits.flip))),
        black_end_(hn::Set(D(), AsSigned(limits.black_end))),
        below_white_(hn::Set(D(), AsSigned(limits.white_begin - 1))),
        first_gray_(hn::Set(D(), AsSigned(limits.black_end))),
        grays_(hn::Set(Unsigned(), static_cast<Sample>(limits.white_begin -
                                                       limits.black_end))) {}

  HWY_INLINE hn::VFromD<D> Load(const Sample* samples) const {
    return hn::Xor(hn::LoadU(D(), reinterpret_cast<const T*>(samples)), flip_);
  }
  HWY_INLINE auto Black(hn::VFromD<D> light) const {
    return hn::Lt(light, black_end_);
  }
  HWY_INLINE auto White(hn::VFromD<D> light) const {
    return hn::Gt(light, below_white_);
  }
  // How far samples are above black; gray ones are less than all others.
  HWY_INLINE hn::VFromD<Unsigned> AboveBlack(hn::VFromD<D> light) const {
    return hn::BitCast(Unsigned(), hn::Sub(light, first_gray_));
  }
  HWY_INLINE bool HasGray(hn::VFromD<Unsigned> least_above_black) const {
    return !hn::AllFalse(Unsigned(), hn::Lt(least_above_black, grays_));
  }
  // Whether kWordsAtOnce words of samples are white, as most of a page is.
  HWY_INLINE bool AreWhite(const Sample* samples) const {
    auto all_white = White(Load(samples));
    for (size_t j = hn::Lanes(D()); j < 64 * kWordsAtOnce;
         j += hn::Lanes(D())) {
      all_white = hn::And(all_white, White(Load(samples + j)));
    }
    return hn::AllTrue(D(), all_white);
  }

 private:
  static T AsSigned(int sample) {
    return static_cast<T>(sample + hwy::LimitsMin<T>());
  }

  const hn::VFromD<D> flip_, black_end_, below_white_, first_gray_;
  const hn::VFromD<Unsigned> grays_;
};
#endif

template <typename Sample>
PureKinds PureBitsOfRow(const std::byte* bytes, size_t columns,
                        const PureLimits& limits, const PureRow& pure) {
  uint64_t* const black = pure.black;
  uint64_t* const white = pure.white;
  const auto* row = reinterpret_cast<const Sample*>(bytes);
  const size_t words = columns / 64;
  bool is_all_white = true;
#if HWY_TARGET != HWY_SCALAR
  const Finder<Sample> finder(limits);
  const typename Finder<Sample>::D d;
  bool was_white = true;
  for (size_t first = 0; first < words; first += kWordsAtOnce) {
    const size_t end = std::min(first + kWordsAtOnce, words);
    if (was_white && end == first + kWordsAtOnce &&
        finder.AreWhite(row + 64 * first)) {
      std::memset(black + first, 0, 8 * kWordsAtOnce);
      std::memset(white + first, 0xff, 8 * kWordsAtOnce);
      continue;
    }
    auto is_white = hn::Eq(hn::Zero(d), hn::Zero(d));
    for (size_t word = first; word < end; ++word) {
      auto* const black_bytes = reinterpret_cast<uint8_t*>(black + word);
      auto* const white_bytes = reinterpret_cast<uint8_t*>(white + word);
      for (size_t j = 0; j < 64; j += hn::Lanes(d)) {
        const auto light = finder.Load(row + 64 * word + j);
        is_white = finder.White(light);
        StoreBits(d, finder.Black(light), black_bytes + j / 8);
        StoreBits(d, is_white, white_bytes + j / 8);
      }
    }
    was_white = hn::AllTrue(d, is_white);
    is_all_white = false;
  }
  // Fewer than 64 bits may be stored as 64.
  black[words] = white[words] = 0;
#else
  is_all_white = false;
  for (size_t word = 0; word < words; ++word) {
    PureBitsOfTail(row + 64 * word, 64, limits, black[word], white[word]);
  }
#endif
  if (columns % 64 != 0) {
    PureBitsOfTail(row + 64 * words, columns % 64, limits, black[words],
                   white[words]);
    is_all_white &= white[words] == AllOf(columns % 64);
  }
  if (is_all_white) return {.black = false, .white = true, .gray = false};
  return KindsOf(pure, columns);
}

template <typename Sample>
void DarkBitsOfRow(const std::byte* bytes, size_t columns, uint16_t flip,
                   uint16_t light_from, uint64_t* dark) {
  const auto* row = reinterpret_cast<const Sample*>(bytes);
  const PureLimits limits{flip, light_from, light_from};
  size_t first = 0;
#if HWY_TARGET != HWY_SCALAR
  const Finder<Sample> finder(limits);
  const typename Finder<Sample>::D d;
  for (; first < columns && columns >= 64; first += 64) {
    // The last word is found from the last 64 columns.
    const size_t at = std::min(first, columns - 64);
    uint64_t bits[2];  // fewer than 64 bits may be stored as 64
    for (size_t j = 0; j < 64; j += hn::Lanes(d)) {
      StoreBits(d, finder.Black(finder.Load(row + at + j)),
                reinterpret_cast<uint8_t*>(bits) + j / 8);
    }
    dark[first / 64] = bits[0] >> (first - at);
  }
#endif
  for (uint64_t white; first < columns; first += 64) {
    PureBitsOfTail(row + first, std::min(columns - first, size_t{64}), limits,
                   dark[first / 64], white);
  }
}

// The same for some of 64 columns, one by one.
template <typename Sample>
void PackTail(const Sample* row, size_t columns, const PureLimits& limits,
              uint64_t& gray, uint64_t& bits) {
  uint64_t black, white;
  PureBitsOfTail(row, columns, limits, black, white);
  gray |= ReverseBitsOfBytes(~(black | white) & AllOf(columns));
  bits = ReverseBitsOfBytes(white);
}

template <typename Sample>
bool PackRow(const std::byte* bytes, size_t columns, const PureLimits& limits,
             uint64_t* gray, uint64_t* bits) {
  const auto* row = reinterpret_cast<const Sample*>(bytes);
  const size_t words = columns / 64;
  bool has_gray = false;
#if HWY_TARGET != HWY_SCALAR
  // The samples of a byte of bits are reversed first.
  alignas(16) static constexpr uint8_t kReversed[2][16] = {
      {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8},
      {14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1}};
  const Finder<Sample> finder(limits);
  const typename Finder<Sample>::D d;
  const hn::Repartition<uint8_t, decltype(d)> of_bytes;
  const auto order = hn::LoadDup128(of_bytes, kReversed[sizeof(Sample) - 1]);
  const auto load = [&](size_t at) HWY_ATTR {
    return hn::BitCast(
        d, LookUpBytes(hn::BitCast(of_bytes, finder.Load(row + at)), order));
  };
  const auto add_gray = [&](size_t word) HWY_ATTR {
    uint64_t pure[2];  // fewer than 64 bits may be stored as 64
    for (size_t j = 0; j < 64; j += hn::Lanes(d)) {
      const auto light = load(64 * word + j);
      StoreBits(d, hn::Or(finder.Black(light), finder.White(light)),
                reinterpret_cast<uint8_t*>(pure) + j / 8);
    }
    gray[word] |= ~pure[0];
  };
  bool was_white = true;
  for (size_t first = 0; first < words; first += kWordsAtOnce) {
    const size_t end = std::min(first + kWordsAtOnce, words);
    if (was_white && end == first + kWordsAtOnce &&
        finder.AreWhite(row + 64 * first)) {
      std::memset(bits + first, 0xff, 8 * kWordsAtOnce);
      continue;
    }
    auto is_white = hn::Eq(hn::Zero(d), hn::Zero(d));
    auto least =
        hn::Set(typename Finder<Sample>::Unsigned(), hwy::LimitsMax<Sample>());
    for (size_t word = first; word < end; ++word) {
      auto* const bits_bytes = reinterpret_cast<uint8_t*>(bits + word);
      for (size_t j = 0; j < 64; j += hn::Lanes(d)) {
        const auto light = load(64 * word + j);
        is_white = finder.White(light);
        StoreBits(d, is_white, bits_bytes + j / 8);
        least = hn::Min(least, finder.AboveBlack(light));
      }
    }
    was_white = hn::AllTrue(d, is_white);
    if (!finder.HasGray(least)) continue;
    for (size_t word = first; word < end; ++word) add_gray(word);
    has_gray = true;
  }
#else
  for (size_t word = 0; word < words; ++word) {
    uint64_t found = 0;
    PackTail(row + 64 * word, 64, limits, found, bits[word]);
    gray[word] |= found;
    has_gray |= found != 0;
  }
#endif
  if (columns % 64 != 0) {
    uint64_t found = 0;
    PackTail(row + 64 * words, columns % 64, limits, found, bits[words]);
    gray[words] |= found;
    has_gray |= found != 0;
  }
  return has_gray;
}

template <typename Sample>
PureKernels KernelsOf(std::string_view target) {
  return {target, PureBitsOfRow<Sample>, DarkBitsOfRow<Sample>, PackRow<Sample>,
          SnapRow<Sample>};
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
