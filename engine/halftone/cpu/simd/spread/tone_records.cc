// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/simd/spread/tone_records.h"

#include <cstddef>

#include "halftone/cpu/simd/spread/packed_level.h"
#include "halftone/page/best_first_table.h"
#include "halftone/page/clustered_table.h"
#include "halftone/page/feedback_table.h"

namespace halftoned::simd {
namespace {

const ToneTable& TableOf(const Recipe& recipe) {
  if (recipe.algorithm() == Algorithm::kFine) return FineTableOf(recipe);
  return kClusterTables[ClusterTableOf(recipe.parameter(Recipe::kClusterSize))];
}

int16_t Scaled(int number, int scale) {
  return static_cast<int16_t>(number * scale);
}

int16_t Sum(int a, int b) { return static_cast<int16_t>(a + b); }

// Makes the record of a value on the curve.
class RecordMaker {
 public:
  explicit RecordMaker(const Recipe& recipe)
      : recipe_(recipe),
        table_(TableOf(recipe)),
        is_fine_(recipe.algorithm() == Algorithm::kFine),
        feedback_(recipe.has_feedback() ? recipe.parameter(Recipe::kFeedback)
                                        : 0) {}

  ToneRecord Make(int curved) const {
    const int levels = recipe_.levels().count;
    const int value = IntervalOf(curved, levels).value;
    const int tone = FineToneOf(value);
    const FineRow& row = table_[static_cast<size_t>(FineRowOf(tone))];
    const int bias = feedback_.bias(value);
    ToneRecord record = {
        .value = Sum(PackedLevelOf(curved, levels), bias),
        .right = Scaled(row.right, 128),
        .down_right = Sum(128 * row.down_right, feedback_.noise(tone)),
        .down_left = Scaled(row.down_left, 128),
        .down_left_left = Scaled(row.down_left_left, 128),
        .gain = Sum(128 * row.gain, feedback_.strength(tone)),
        .onset = Scaled(row.onset, kDistanceScale),
        .threshold = row.lift};
    if (is_fine_) {
      const int lift = IsLight(value) ? row.lift : -row.lift;
      record.threshold = Sum(kWhite / 2 + lift, bias);
      if (IsPure(curved)) record.onset = -1;
    }
    return record;
  }

  void SetBytes(size_t a, int curved, const ToneRecord& record,
                ToneBytes& bytes) const {
    const int value = IntervalOf(curved, recipe_.levels().count).value;
    const int tone = FineToneOf(value);
    bytes.value_low[a] = static_cast<uint8_t>(record.value);
    bytes.value_high[a] = static_cast<uint8_t>(record.value >> 8);
    bytes.row[a] = static_cast<uint8_t>(
        FineRowOf(tone) + (IsLight(value) ? ToneBytes::kLight : 0) +
        (IsPure(curved) ? 0 : ToneBytes::kGray));
    bytes.threshold_low[a] = static_cast<uint8_t>(record.threshold);
    bytes.threshold_high[a] = static_cast<uint8_t>(record.threshold >> 8);
    bytes.strength[a] = static_cast<uint8_t>(feedback_.strength(tone));
    bytes.noise[a] = static_cast<uint8_t>(feedback_.noise(tone));
  }

  int bias(int value) const { return feedback_.bias(value); }

 private:
  static bool IsLight(int value) { return value >= kWhite / 2; }
  bool IsPure(int curved) const {
    return recipe_.is_pure() && (curved == 0 || curved == kWhite);
  }

  const Recipe& recipe_;
  const ToneTable& table_;
  const bool is_fine_;
  const PrintFeedback feedback_;
};

}  // namespace

bool HasToneRecords(const Recipe& recipe, Depth depth) {
  if (depth == Depth::k16) return recipe.has_feedback();
  return recipe.algorithm() == Algorithm::kFine ||
         recipe.algorithm() == Algorithm::kClustered;
}

ToneRecords::ToneRecords(const Recipe& recipe, Depth depth) {
  const RecordMaker maker(recipe);
  middle = Sum(kWhite / 2, maker.bias(kWhite / 2));
  if (depth == Depth::k16) {
    for (int v = 0; v <= kWhite; ++v) of_values.push_back(maker.Make(v));
    return;
  }
  for (size_t a = 0; a < 256; ++a) {
    const int curved = recipe.curve().At8(static_cast<uint8_t>(a));
    of[a] = maker.Make(curved);
    maker.SetBytes(a, curved, of[a], bytes);
  }
}

}  // namespace halftoned::simd
