// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of `fine` as vectors look it up: a column is 64 bytes of which 44
// are rows.

#ifndef HALFTONED_HALFTONE_SIMD_FINE_TABLES_H_
#define HALFTONED_HALFTONE_SIMD_FINE_TABLES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "halftone/fine_table.h"

namespace halftoned::simd {

struct FineTables {
  using Column = std::array<uint8_t, 64>;

  alignas(64) Column right;
  alignas(64) Column down_right;
  alignas(64) Column down_left;  // signed
  alignas(64) Column down_left_left;
  alignas(64) Column gain;
  alignas(64) Column onset;
  alignas(64) Column lift_low;
  alignas(64) Column lift_high;

  static constexpr FineTables Make() {
    FineTables tables{};
    for (size_t i = 0; i < kFineTable.size(); ++i) {
      const FineRow& row = kFineTable[i];
      tables.right[i] = static_cast<uint8_t>(row.right);
      tables.down_right[i] = static_cast<uint8_t>(row.down_right);
      tables.down_left[i] = static_cast<uint8_t>(row.down_left);
      tables.down_left_left[i] = static_cast<uint8_t>(row.down_left_left);
      tables.gain[i] = static_cast<uint8_t>(row.gain);
      tables.onset[i] = static_cast<uint8_t>(row.onset);
      tables.lift_low[i] = static_cast<uint8_t>(row.lift);
      tables.lift_high[i] = static_cast<uint8_t>(row.lift >> 8);
    }
    return tables;
  }

  // Whether no number was cut off.
  constexpr bool IsWhole() const {
    for (size_t i = 0; i < kFineTable.size(); ++i) {
      const FineRow& row = kFineTable[i];
      if (right[i] != row.right || down_right[i] != row.down_right ||
          static_cast<int8_t>(down_left[i]) != row.down_left ||
          down_left_left[i] != row.down_left_left || gain[i] != row.gain ||
          onset[i] != row.onset ||
          lift_low[i] + 256 * lift_high[i] != row.lift) {
        return false;
      }
    }
    return true;
  }
};

inline constexpr FineTables kFineTables = FineTables::Make();
static_assert(kFineTables.IsWhole());

}  // namespace halftoned::simd

#endif  // HALFTONED_HALFTONE_SIMD_FINE_TABLES_H_
