// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/carry.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

class CarryTest : public ::testing::Test {
 protected:
  CarryTest() {
    for (size_t j = 0; j < carry_.plane(0).size(); ++j) {
      carry_.plane(0)[j] = static_cast<int16_t>(j % 2 ? 2040 : -2039);
    }
  }

  void ExpectRefused(const std::vector<std::byte>& blob,
                     const std::string& message) {
    const auto loaded = Carry::Load(blob, recipe_, page_);
    ASSERT_FALSE(loaded.ok()) << "expected: " << message;
    EXPECT_NE(loaded.error().message.find(message), std::string::npos)
        << loaded.error().message;
  }

  const Page page_ = *Page::Make(13, 8, 4321);
  const Recipe recipe_ = Recipe::FloydSteinberg();
  Carry carry_ = Carry::AtStart(recipe_, page_);
};

TEST_F(CarryTest, ComesBackAsItWasSaved) {
  const auto blob = carry_.Save();
  EXPECT_EQ(blob.size(), Carry::SavedBytes(recipe_, page_));
  const auto loaded = Carry::Load(blob, recipe_, page_);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(*loaded, carry_);
}

TEST_F(CarryTest, OfARecipeWithoutStateIsOnlyAHeader) {
  const Recipe bi_level = Recipe::BiLevel();
  const Carry carry = Carry::AtStart(bi_level, page_);
  const auto blob = carry.Save();
  EXPECT_EQ(blob.size(), Carry::SavedBytes(bi_level, page_));
  EXPECT_EQ(blob.size(), 32u);
  const auto loaded = Carry::Load(blob, bi_level, page_);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(*loaded, carry);
}

TEST_F(CarryTest, HasEveryPlaneOfItsRecipe) {
  const Recipe fine = Recipe::Fine();
  Carry carry = Carry::AtStart(fine, page_);
  EXPECT_EQ(carry.plane(0)[12], 0);
  EXPECT_EQ(carry.plane(1)[12], 1000);
  carry.plane(0)[0] = -8000;
  carry.plane(1)[12] = 0;
  const auto loaded = Carry::Load(carry.Save(), fine, page_);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(*loaded, carry);
  carry.plane(1)[12] = 1001;
  EXPECT_FALSE(Carry::Load(carry.Save(), fine, page_).ok());
}

TEST_F(CarryTest, OfARecipeThatLooksAheadIsCutOnlyAtItsRows) {
  const Recipe best = *Recipe::Make(Recipe::PartsOf(Algorithm::kBest));
  for (const int64_t row : {0, 5, 16, 40, 48}) {
    const Page page = page_.StartingAt(row);
    Carry carry = Carry::AtStart(best, page);
    EXPECT_TRUE(carry.IsAtStart(best));
    EXPECT_TRUE(Carry::Load(carry.Save(), best, page).ok()) << row;
    carry.plane(5)[3] = 1;
    EXPECT_FALSE(carry.IsAtStart(best));
    EXPECT_EQ(Carry::Load(carry.Save(), best, page).ok(),
              row == 16 || row == 48)
        << row;
  }
}

TEST_F(CarryTest, IsRefusedWhenCutOrLengthenedAtAnyByte) {
  const auto blob = carry_.Save();
  for (size_t size = 0; size < blob.size(); ++size) {
    ExpectRefused({blob.data(), blob.data() + size}, "bytes, expected");
  }
  auto longer = blob;
  longer.push_back(std::byte{0});
  ExpectRefused(longer, "bytes, expected");
}

TEST_F(CarryTest, EveryByteOfItsHeadIsChecked) {
  const auto blob = carry_.Save();
  for (size_t at = 0; at < 32; ++at) {
    auto changed = blob;
    changed[at] ^= std::byte{0x40};
    EXPECT_FALSE(Carry::Load(changed, recipe_, page_).ok()) << "byte " << at;
  }
}

TEST_F(CarryTest, ValuesOutOfBoundsAreRefusedWithTheirColumn) {
  for (int value : {2041, -2040, 32767, -32768}) {
    carry_.plane(0)[5] = static_cast<int16_t>(value);
    ExpectRefused(carry_.Save(),
                  "carry value " + std::to_string(value) + " at column 5");
  }
}

TEST_F(CarryTest, BelongsToOneRecipeWidthAndRow) {
  const auto blob = carry_.Save();
  EXPECT_FALSE(Carry::Load(blob, Recipe::FloydSteinberg(4), page_).ok());
  EXPECT_FALSE(Carry::Load(blob, recipe_, *Page::Make(14, 8, 4321)).ok());
  EXPECT_FALSE(Carry::Load(blob, recipe_, *Page::Make(13, 8, 4320)).ok());
  // It holds errors, not pixels: their depth does not matter.
  EXPECT_TRUE(Carry::Load(blob, recipe_, *Page::Make(13, 16, 4321)).ok());
}

}  // namespace
}  // namespace halftoned
