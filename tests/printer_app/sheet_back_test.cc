// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/sheet_back.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace halftoned {
namespace {

bool BitAt(const std::vector<uint8_t>& row, size_t x) {
  return row[x / 8] >> (7 - x % 8) & 1;
}

TEST(MirrorBits, PutsTheLastColumnFirst) {
  std::mt19937 random(1);
  for (size_t width = 1; width <= 70; ++width) {
    std::vector<uint8_t> row((width + 7) / 8);
    for (size_t x = 0; x < width; ++x) {
      row[x / 8] |= static_cast<uint8_t>((random() & 1) << (7 - x % 8));
    }
    std::vector<uint8_t> mirrored = row;
    MirrorBits(mirrored, width);
    for (size_t x = 0; x < 8 * row.size(); ++x) {
      EXPECT_EQ(BitAt(mirrored, x), x < width && BitAt(row, width - 1 - x))
          << "column " << x << " of " << width;
    }
  }
}

TEST(SheetBack, IsKnownByItsWord) {
  EXPECT_EQ(SheetBackOf(""), SheetBack::kNormal);
  EXPECT_EQ(SheetBackOf("Rotated"), SheetBack::kRotated);
  EXPECT_EQ(SheetBackOf("Upwards"), std::nullopt);
}

// By PWG 5102.4, where 1 and -1 say the same of rows and columns.
TEST(SheetBack, TurnsWhereTheSheetIsBound) {
  struct Row {
    SheetBack back;
    bool is_tumbled, mirrors_rows, ends_first;
  };
  constexpr Row kRows[] = {
      {SheetBack::kNormal, false, false, false},
      {SheetBack::kNormal, true, false, false},
      {SheetBack::kFlipped, false, false, true},
      {SheetBack::kFlipped, true, true, false},
      {SheetBack::kRotated, false, true, true},
      {SheetBack::kRotated, true, false, false},
      {SheetBack::kManualTumble, false, false, false},
      {SheetBack::kManualTumble, true, true, true},
  };
  for (const Row& row : kRows) {
    const BackTurn turn = TurnOf(row.back, row.is_tumbled);
    EXPECT_EQ(turn.mirrors_rows, row.mirrors_rows);
    EXPECT_EQ(turn.ends_first, row.ends_first);
    EXPECT_EQ(turn.any(), row.mirrors_rows || row.ends_first);
  }
}

}  // namespace
}  // namespace halftoned
