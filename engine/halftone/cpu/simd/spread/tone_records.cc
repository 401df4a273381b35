// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/simd/spread/tone_records.h"

#include <cstddef>

#include "halftone/cpu/simd/spread/packed_level.h"
#include "halftone/page/best_first_table.h"
#include "halftone/page/clustered_table.h"

namespace halftoned::simd {
namespace {

const ToneTable& TableOf(const Recipe& recipe) {
  if (recipe.algorithm() == Algorithm::kFine) return FineTableOf(recipe);
  return kClusterTables[ClusterTableOf(recipe.parameter(Recipe::kClusterSize))];
}

int16_t Scaled(int number, int scale) {
  return static_cast<int16_t>(number * scale);
}

}  // namespace

bool HasToneRecords(const Recipe& recipe) {
  return recipe.algorithm() == Algorithm::kFine ||
         recipe.algorithm() == Algorithm::kClustered;
}

ToneRecords::ToneRecords(const Recipe& recipe) {
  const ToneTable& table = TableOf(recipe);
  const bool is_fine = recipe.algorithm() == Algorithm::kFine;
  for (size_t a = 0; a < 256; ++a) {
    const int curved = recipe.curve().At8(static_cast<uint8_t>(a));
    const bool is_pure = recipe.is_pure() && (curved == 0 || curved == kWhite);
    const int value = IntervalOf(curved, recipe.levels().count).value;
    const uint16_t packed = PackedLevelOf(curved, recipe.levels().count);
    const bool is_light = value >= kWhite / 2;
    const int row_number = FineRowOf(FineToneOf(value));
    const FineRow& row = table[static_cast<size_t>(row_number)];
    ToneRecord& record = of[a];
    record = {.value = static_cast<int16_t>(packed),
              .right = Scaled(row.right, 128),
              .down_right = Scaled(row.down_right, 128),
              .down_left = Scaled(row.down_left, 128),
              .down_left_left = Scaled(row.down_left_left, 128),
              .gain = Scaled(row.gain, 128),
              .onset = Scaled(row.onset, kDistanceScale),
              .threshold = row.lift};
    if (is_fine) {
      const int lift = is_light ? row.lift : -row.lift;
      record.threshold = Scaled(kWhite / 2 + lift, 1);
      if (is_pure) record.onset = -1;
    }
    bytes.value_low[a] = static_cast<uint8_t>(packed);
    bytes.value_high[a] = static_cast<uint8_t>(packed >> 8);
    bytes.row[a] =
        static_cast<uint8_t>(row_number + (is_light ? ToneBytes::kLight : 0) +
                             (is_pure ? 0 : ToneBytes::kGray));
  }
}

}  // namespace halftoned::simd
