// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of `fine` and `clustered` in the form that vectors look up: 64
// bytes for each number, of which 44 are rows.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "halftone/page/best_first_table.h"
#include "halftone/page/clustered_table.h"
#include "halftone/page/fine_table.h"
#include "halftone/page/recipe.h"

namespace halftoned::simd {

enum FineNumber {
  kFineRight,
  kFineDownRight,
  kFineDownLeft,  // signed
  kFineDownLeftLeft,
  kFineGain,
  kFineOnset,
  kFineLiftLow,
  kFineLiftHigh,
  kFineNumbers
};

struct FineTables {
  alignas(64) uint8_t of[kFineNumbers][64];

  static constexpr FineTables Make(const ToneTable& table) {
    FineTables tables{};
    for (size_t i = 0; i < table.size(); ++i) {
      const FineRow& row = table[i];
      tables.of[kFineRight][i] = static_cast<uint8_t>(row.right);
      tables.of[kFineDownRight][i] = static_cast<uint8_t>(row.down_right);
      tables.of[kFineDownLeft][i] = static_cast<uint8_t>(row.down_left);
      tables.of[kFineDownLeftLeft][i] =
          static_cast<uint8_t>(row.down_left_left);
      tables.of[kFineGain][i] = static_cast<uint8_t>(row.gain);
      tables.of[kFineOnset][i] = static_cast<uint8_t>(row.onset);
      tables.of[kFineLiftLow][i] = static_cast<uint8_t>(row.lift);
      tables.of[kFineLiftHigh][i] = static_cast<uint8_t>(row.lift >> 8);
    }
    return tables;
  }

  // Whether every number fits, and only row 0 has no gain.
  constexpr bool Holds(const ToneTable& table) const {
    for (size_t i = 0; i < table.size(); ++i) {
      const FineRow& row = table[i];
      if (of[kFineRight][i] != row.right ||
          of[kFineDownRight][i] != row.down_right ||
          static_cast<int8_t>(of[kFineDownLeft][i]) != row.down_left ||
          of[kFineDownLeftLeft][i] != row.down_left_left ||
          of[kFineGain][i] != row.gain || of[kFineOnset][i] != row.onset ||
          static_cast<int16_t>(of[kFineLiftLow][i] +
                               256 * of[kFineLiftHigh][i]) != row.lift ||
          (row.gain == 0) != (i == 0)) {
        return false;
      }
    }
    return true;
  }
};

inline constexpr FineTables kFineTables = FineTables::Make(kFineTable);
static_assert(kFineTables.Holds(kFineTable));
inline constexpr FineTables kBestFirstTables =
    FineTables::Make(kBestFirstTable);
static_assert(kBestFirstTables.Holds(kBestFirstTable));

inline const FineTables& FineTablesOf(const Recipe& recipe) {
  return recipe.parameter(Recipe::kTable) == 0 ? kFineTables : kBestFirstTables;
}

inline constexpr auto kClusteredTables = [] {
  std::array<FineTables, kClusterTables.size()> tables{};
  std::ranges::transform(kClusterTables, tables.begin(), FineTables::Make);
  return tables;
}();
static_assert(std::ranges::equal(kClusteredTables, kClusterTables,
                                 &FineTables::Holds));

}  // namespace halftoned::simd
