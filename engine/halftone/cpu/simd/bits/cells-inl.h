// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of EdgeKernels for cells, for one target.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_BITS_CELLS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_BITS_CELLS_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_BITS_CELLS_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_BITS_CELLS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "halftone/cpu/simd/bits/cell_counts.h"
#include "halftone/cpu/simd/bits/edge_bits.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The least and the most of each column of the rows, into `least` and `most`.
template <typename Sample>
void ExtremesOfColumns(const std::byte* const* rows, size_t count,
                       size_t columns, Sample flip, Sample* least,
                       Sample* most) {
  const hn::CappedTag<Sample, 64> d;
  const auto turn = hn::Set(d, flip);
  size_t j = 0;
  const auto at = [&](size_t i) {
    return reinterpret_cast<const Sample*>(rows[i]) + j;
  };
  for (; j + hn::Lanes(d) <= columns; j += hn::Lanes(d)) {
    auto low = hn::Xor(hn::LoadU(d, at(0)), turn);
    auto high = low;
    for (size_t i = 1; i < count; ++i) {
      const auto light = hn::Xor(hn::LoadU(d, at(i)), turn);
      low = hn::Min(low, light);
      high = hn::Max(high, light);
    }
    hn::StoreU(low, d, least + j);
    hn::StoreU(high, d, most + j);
  }
  for (; j < columns; ++j) {
    least[j] = most[j] = static_cast<Sample>(*at(0) ^ flip);
    for (size_t i = 1; i < count; ++i) {
      const auto light = static_cast<Sample>(*at(i) ^ flip);
      least[j] = std::min(least[j], light);
      most[j] = std::max(most[j], light);
    }
  }
}

// Joins eight bytes, or four numbers of 16 bits, into the lowest one.
template <typename Sample, class D, typename Join>
HWY_INLINE hn::VFromD<D> Folded(D d, hn::VFromD<D> v, const Join& join) {
  const hn::Repartition<uint64_t, D> wide;
  const auto shifted = [&](auto shift) HWY_ATTR {
    return hn::BitCast(d, shift(hn::BitCast(wide, v)));
  };
  v = join(v, shifted([](auto w) HWY_ATTR { return hn::ShiftRight<32>(w); }));
  v = join(v, shifted([](auto w) HWY_ATTR { return hn::ShiftRight<16>(w); }));
  if constexpr (sizeof(Sample) == 1) {
    v = join(v, shifted([](auto w) HWY_ATTR { return hn::ShiftRight<8>(w); }));
  }
  return v;
}

template <typename Sample>
void ExtremesOfCells(const std::byte* const* rows, size_t count, size_t columns,
                     uint16_t flip, std::byte* room, uint16_t* least,
                     uint16_t* most) {
  auto* const low = reinterpret_cast<Sample*>(room);
  Sample* const high = low + columns;
  ExtremesOfColumns(rows, count, columns, static_cast<Sample>(flip), low, high);
  size_t first = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<Sample, 64> d;
  constexpr size_t kEvery = 8 / sizeof(Sample);  // columns of a word
  const auto fold = [&](const Sample* from, uint16_t* into,
                        const auto& join) HWY_ATTR {
    HWY_ALIGN Sample folded[64];
    hn::Store(Folded<Sample>(d, hn::LoadU(d, from), join), d, folded);
    for (size_t j = 0; j < hn::Lanes(d); j += kCellSide) {
      Sample all = folded[j];
      if constexpr (kEvery < kCellSide) {
        const Sample other = folded[j + kEvery];
        all = into == least ? std::min(all, other) : std::max(all, other);
      }
      into[j / kCellSide] = all;
    }
  };
  for (; first + hn::Lanes(d) <= columns; first += hn::Lanes(d)) {
    fold(low + first, least,
         [](auto a, auto b) HWY_ATTR { return hn::Min(a, b); });
    fold(high + first, most,
         [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); });
    least += hn::Lanes(d) / kCellSide;
    most += hn::Lanes(d) / kCellSide;
  }
#endif
  for (; first < columns; first += kCellSide) {
    const size_t end = std::min(first + kCellSide, columns);
    *least++ = *std::min_element(low + first, low + end);
    *most++ = *std::max_element(high + first, high + end);
  }
}

#if HWY_TARGET != HWY_SCALAR
// Numbers of columns added up, eight bytes or four numbers of 16 bits each.
template <class D>
HWY_INLINE hn::VFromD<hn::Repartition<uint64_t, D>> Added(D d,
                                                          hn::VFromD<D> v) {
  const hn::Repartition<uint64_t, D> wide;
  if constexpr (sizeof(hn::TFromD<D>) == 1) {
    return hn::SumsOf8(v);
  } else {
    const auto folded = Folded<hn::TFromD<D>>(
        d, v, [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); });
    return hn::And(hn::BitCast(wide, folded), hn::Set(wide, 0xffff));
  }
}

// The cells of the columns of a vector, from column j on.
template <class D>
HWY_INLINE void CountVector(D d, const std::byte* const* rows, size_t count,
                            const CellLevels& levels, size_t j, uint16_t flip,
                            const CellCounts& counts) {
  using Sample = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  const hn::Repartition<uint64_t, D> wide;
  const auto load = [&](const std::byte* from) HWY_ATTR {
    return hn::LoadU(d, reinterpret_cast<const Sample*>(from) + j);
  };
  const auto reaches = [&](V light, V from) HWY_ATTR {
    return hn::VecFromMask(d, hn::Eq(hn::Max(light, from), light));
  };
  const V turn = hn::Set(d, static_cast<Sample>(flip));
  const V light_from = load(levels.light), dim_from = load(levels.dim),
          bright_from = load(levels.bright);
  // All but the last columns of cells.
  const V in_cell =
      hn::VecFromMask(d, hn::Lt(hn::And(hn::Iota(d, 0), hn::Set(d, Sample{7})),
                                hn::Set(d, Sample{7})));
  V across = hn::Zero(d), down = across, bright = across, vague = across,
    above = across;
  auto dim_sum = hn::Zero(wide), bright_sum = dim_sum;
  for (size_t i = 0; i < count; ++i) {
    const V light = hn::Xor(load(rows[i]), turn);
    const V is_light = reaches(light, light_from);
    const V not_dim = reaches(light, dim_from);
    const V is_bright = reaches(light, bright_from);
    // A vector of ones is -1.
    across = hn::Sub(
        across, hn::And(in_cell, hn::Xor(is_light,
                                         hn::ShiftRightLanes<1>(d, is_light))));
    if (i > 0) down = hn::Sub(down, hn::Xor(is_light, above));
    bright = hn::Sub(bright, is_bright);
    vague = hn::Sub(vague, hn::AndNot(is_bright, not_dim));
    above = is_light;
    const V high_bits = [&]() HWY_ATTR {
      if constexpr (sizeof(Sample) == 1) {
        return light;
      } else {
        return hn::ShiftRight<8>(light);
      }
    }();
    dim_sum = hn::Add(dim_sum, Added(d, hn::AndNot(not_dim, high_bits)));
    bright_sum = hn::Add(bright_sum, Added(d, hn::And(is_bright, high_bits)));
  }
  HWY_ALIGN uint64_t all[kCounted][8];
  hn::Store(Added(d, across), wide, all[kAcross]);
  hn::Store(Added(d, down), wide, all[kDown]);
  hn::Store(Added(d, bright), wide, all[kBright]);
  hn::Store(Added(d, vague), wide, all[kVague]);
  hn::Store(dim_sum, wide, all[kDimSum]);
  hn::Store(bright_sum, wide, all[kBrightSum]);
  constexpr size_t kParts = sizeof(Sample);  // of a cell
  for (size_t k = 0; k < hn::Lanes(wide); k += kParts) {
    uint64_t cell[kCounted];
    for (size_t i = 0; i < kCounted; ++i) {
      cell[i] = all[i][k] + (kParts == 2 ? all[i][k + kParts - 1] : 0);
    }
    StoreCounts(cell, j / kCellSide + k / kParts, counts);
  }
}
#endif

template <typename Sample>
void CountCells(const std::byte* const* rows, size_t count,
                const CellLevels& levels, const uint64_t* cells, size_t columns,
                uint16_t flip, const CellCounts& counts) {
  const auto* const counted = reinterpret_cast<const uint8_t*>(cells);
  size_t j = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<Sample, 64> d;
  for (; j + 64 <= columns; j += 64) {
    if (cells[j / 64] == 0) continue;
    for (size_t k = 0; k < 64; k += hn::Lanes(d)) {
      CountVector(d, rows, count, levels, j + k, flip, counts);
    }
  }
#endif
  for (size_t cell = j / kCellSide; kCellSide * cell < columns; ++cell) {
    if (counted[cell] == 0) continue;
    CountCell<Sample>(rows, count, levels, cell, columns, flip, counts);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_BITS_CELLS_INL_H_
