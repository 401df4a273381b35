// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once for each target; the probes of targets.cc choose.

#include "halftone/cpu/simd/disabled_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "halftone/cpu/simd/bits/edge_bits.cc"
#include <bit>

#include "halftone/cpu/simd/bits/edge_bits.h"
#include "halftone/cpu/simd/core.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After those.
#include "halftone/cpu/simd/bits/cells-inl.h"
#include "halftone/cpu/simd/vectors/operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace halftoned::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// One plane of the rows of SoftRows within `reach` of the middle.
template <class D, size_t kReach>
HWY_INLINE hn::VFromD<D> RowsAt(D d, const PureRow (&rows)[2 * kSoftReach + 1],
                                uint64_t* PureRow::*plane, ptrdiff_t word) {
  auto all = hn::Zero(d);
  for (size_t i = kSoftReach - kReach; i <= kSoftReach + kReach; ++i) {
    all = hn::Or(all, hn::LoadU(d, rows[i].*plane + word));
  }
  return all;
}

// The same within `reach` columns too.
template <size_t kReach, class D>
HWY_INLINE hn::VFromD<D> Around(D d, const PureRow (&rows)[2 * kSoftReach + 1],
                                uint64_t* PureRow::*plane, ptrdiff_t word) {
  const auto here = RowsAt<D, kReach>(d, rows, plane, word);
  const auto before = RowsAt<D, kReach>(d, rows, plane, word - 1);
  const auto after = RowsAt<D, kReach>(d, rows, plane, word + 1);
  auto all = here;
  for (int by = 1; by <= static_cast<int>(kReach); ++by) {
    all = hn::Or(all, hn::Or(hn::ShiftLeftSame(here, by),
                             hn::ShiftRightSame(before, 64 - by)));
    all = hn::Or(all, hn::Or(hn::ShiftRightSame(here, by),
                             hn::ShiftLeftSame(after, 64 - by)));
  }
  return all;
}

// Some words of a row: what is snapped, and what may be cleaned.
template <class D>
HWY_INLINE bool FindSoft(D d, const SoftRows& rows, size_t word,
                         uint64_t* snapped, uint64_t* cleaned) {
  const auto at = static_cast<ptrdiff_t>(word);
  const PureRow& here = rows.pure[kSoftReach];
  const auto pure =
      hn::Or(hn::LoadU(d, here.black + at), hn::LoadU(d, here.white + at));
  const auto gray = hn::AndNot(pure, hn::LoadU(d, rows.zone + at));
  if (hn::AllTrue(d, hn::Eq(gray, hn::Zero(d)))) return false;
  const auto edge = hn::And(
      gray, hn::And(Around<kSoftReach>(d, rows.near, &PureRow::black, at),
                    Around<kSoftReach>(d, rows.near, &PureRow::white, at)));
  hn::StoreU(edge, d, snapped);
  const auto beside_paper =
      Around<kPaperReach>(d, rows.pure, &PureRow::white, at);
  hn::StoreU(hn::AndNot(edge, hn::And(gray, beside_paper)), d, cleaned);
  return true;
}

// The same for at most 64 pixels, one by one.
template <typename Sample>
void SoftenPixels(uint64_t snapped, uint64_t cleaned, const SoftLevels& levels,
                  Sample* pixels) {
  const auto white = static_cast<Sample>(~levels.flip);
  const auto turned = [&](Sample a) {
    return static_cast<Sample>(a ^ levels.flip);
  };
  for (; snapped != 0; snapped &= snapped - 1) {
    Sample& sample = pixels[std::countr_zero(snapped)];
    sample = turned(sample) >= levels.white_from
                 ? white
                 : static_cast<Sample>(levels.flip);
  }
  for (; cleaned != 0; cleaned &= cleaned - 1) {
    Sample& sample = pixels[std::countr_zero(cleaned)];
    if (turned(sample) >= levels.clean_from) sample = white;
  }
}

#if HWY_TARGET != HWY_SCALAR
template <typename Sample>
HWY_INLINE void SoftenWord(const uint8_t* snapped, const uint8_t* cleaned,
                           const SoftLevels& levels, Sample* pixels) {
  const hn::CappedTag<Sample, 64> d;
  const auto flip = hn::Set(d, static_cast<Sample>(levels.flip));
  const auto below_white =
      hn::Set(d, static_cast<Sample>(levels.white_from - 1));
  const auto below_clean =
      hn::Set(d, static_cast<Sample>(levels.clean_from - 1));
  for (size_t j = 0; j < 64; j += hn::Lanes(d)) {
    const auto sample = hn::LoadU(d, pixels + j);
    const auto light = hn::Xor(sample, flip);
    const auto is_white = hn::VecFromMask(d, hn::Gt(light, below_white));
    const auto is_paper = hn::VecFromMask(d, hn::Gt(light, below_clean));
    const auto edge = hn::VecFromMask(d, LoadBits(d, snapped + j / 8));
    const auto near = hn::VecFromMask(d, LoadBits(d, cleaned + j / 8));
    const auto to_white =
        hn::Or(hn::And(edge, is_white), hn::And(near, is_paper));
    const auto to_black = hn::AndNot(is_white, edge);
    const auto made = hn::Or(hn::AndNot(to_black, light), to_white);
    hn::StoreU(hn::Xor(made, flip), d, pixels + j);
  }
}
#endif

template <typename Sample>
void SoftenRow(const SoftRows& rows, const SoftLevels& levels, std::byte* bytes,
               size_t columns) {
  auto* const row = reinterpret_cast<Sample*>(bytes);
  const hn::CappedTag<uint64_t, 1> one;
  // Eight bytes are read from any byte on.
  uint64_t snapped[8 + 1] = {}, cleaned[8 + 1] = {};
  size_t word = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<uint64_t, 8> d;
  const size_t words = columns / 64;
  for (; word + hn::Lanes(d) <= words; word += hn::Lanes(d)) {
    if (!FindSoft(d, rows, word, snapped, cleaned)) continue;
    for (size_t k = 0; k < hn::Lanes(d); ++k) {
      if ((snapped[k] | cleaned[k]) == 0) continue;
      SoftenWord(reinterpret_cast<const uint8_t*>(snapped + k),
                 reinterpret_cast<const uint8_t*>(cleaned + k), levels,
                 row + 64 * (word + k));
    }
  }
#endif
  for (; 64 * word < columns; ++word) {
    if (!FindSoft(one, rows, word, snapped, cleaned)) continue;
    SoftenPixels(snapped[0], cleaned[0], levels, row + 64 * word);
  }
}

template <typename Sample>
void DecideRow(const std::byte* levels, const uint64_t* mask, size_t columns,
               uint16_t flip, std::byte* bytes) {
  auto* const row = reinterpret_cast<Sample*>(bytes);
  const auto* from = reinterpret_cast<const Sample*>(levels);
  size_t word = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<Sample, 64> d;
  const auto turn = hn::Set(d, static_cast<Sample>(flip));
  for (; 64 * (word + 1) <= columns; ++word) {
    if (mask[word] == 0) continue;
    // Eight bytes are read from any byte on.
    const uint64_t here[2] = {mask[word], 0};
    const auto* const bits = reinterpret_cast<const uint8_t*>(here);
    for (size_t j = 0; j < 64; j += hn::Lanes(d)) {
      const size_t at = 64 * word + j;
      const auto light = hn::Xor(hn::LoadU(d, row + at), turn);
      const auto level = hn::LoadU(d, from + at);
      const auto is_light =
          hn::VecFromMask(d, hn::Eq(hn::Max(light, level), light));
      const auto decided = hn::VecFromMask(d, LoadBits(d, bits + j / 8));
      const auto made =
          hn::Or(hn::And(decided, is_light), hn::AndNot(decided, light));
      hn::StoreU(hn::Xor(made, turn), d, row + at);
    }
  }
#endif
  for (; 64 * word < columns; ++word) {
    for (uint64_t left = mask[word]; left != 0; left &= left - 1) {
      const size_t at = 64 * word + static_cast<size_t>(std::countr_zero(left));
      const auto light = static_cast<Sample>(row[at] ^ flip);
      row[at] = static_cast<Sample>((light >= from[at] ? ~0u : 0u) ^ flip);
    }
  }
}

template <typename Sample>
EdgeKernels EdgeKernelsOfPixels(std::string_view target) {
  return {target, SoftenRow<Sample>, ExtremesOfCells<Sample>,
          CountCells<Sample>, DecideRow<Sample>};
}

EdgeKernels EdgeKernelsHere(std::string_view target, Depth depth) {
  return depth == Depth::k8 ? EdgeKernelsOfPixels<uint8_t>(target)
                            : EdgeKernelsOfPixels<uint16_t>(target);
}

}  // namespace halftoned::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace halftoned::simd {

EdgeKernels EdgeKernelsOf(std::string_view target, Depth depth) {
#if HWY_TARGETS & HWY_AVX3_DL
  if (target == "avx512") return N_AVX3_DL::EdgeKernelsHere(target, depth);
#endif
#if HWY_TARGETS & HWY_AVX2
  if (target == "avx2") return N_AVX2::EdgeKernelsHere(target, depth);
#endif
#if HWY_TARGETS & HWY_SSSE3
  if (target == "ssse3") return N_SSSE3::EdgeKernelsHere(target, depth);
#endif
  return HWY_STATIC_DISPATCH(EdgeKernelsHere)(target, depth);
}

}  // namespace halftoned::simd

#endif  // HWY_ONCE
