// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What halftone.h promises of pages, beside the bits.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "tests/library/handles.h"
#include "tests/library/sample_page.h"

namespace halftoned::testing {
namespace {

class LibraryPage : public ::testing::Test {
 protected:
  ht_status Lend() { return ht_page_lend(page_.get(), &room_, &error_); }
  ht_status Submit(int32_t rows, int last) {
    return ht_page_submit(page_.get(), rows, last, &error_);
  }
  ht_status Take() { return ht_page_take(page_.get(), &rows_, &error_); }
  ht_status Put() { return ht_page_put(page_.get(), row_.data(), &error_); }
  ht_status Get() { return ht_page_get(page_.get(), &bits_, &error_); }
  ht_status End() { return ht_page_end(page_.get(), &error_); }
  void Use(const char* options, ht_layout layout = kLayout) {
    recipe_ = NewRecipe(options);
    page_ = NewPage(nullptr, recipe_.get(), layout);
  }

  RecipeHandle recipe_ = NewRecipe("");
  PageHandle page_ = NewPage(nullptr, recipe_.get(), kLayout);
  const std::vector<uint8_t> row_ = std::vector<uint8_t>(kWidth, 100);
  ht_room room_{};
  ht_rows rows_{};
  const unsigned char* bits_ = nullptr;
  ht_error error_{};
};

TEST_F(LibraryPage, LendsARoomUntilItIsSubmitted) {
  ASSERT_EQ(Lend(), HT_OK);
  const auto* first = room_.gray;
  ASSERT_EQ(Lend(), HT_OK);
  EXPECT_EQ(room_.gray, first);
  EXPECT_GE(room_.rows, 64);
  EXPECT_EQ(room_.bytes_per_row, size_t{kWidth});
}

TEST_F(LibraryPage, HasRoomAgainAfterAnAnswer) {
  int bands = 0;
  for (;; ++bands) {
    ASSERT_EQ(Lend(), HT_OK);
    if (room_.rows == 0) break;
    ASSERT_EQ(Submit(1, 0), HT_OK);
  }
  EXPECT_GE(bands, 2);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(Take(), HT_OK);
  ASSERT_EQ(Lend(), HT_OK);
  EXPECT_GT(room_.rows, 0);
}

TEST_F(LibraryPage, IsLostAfterAMistake) {
  EXPECT_TRUE(Says(Submit(1, 0), error_, HT_BUG, "was not lent"));
  EXPECT_TRUE(Says(Lend(), error_, HT_BUG, "was not lent"));
  EXPECT_EQ(ht_page_ready(page_.get()), 0);
  std::vector<uint8_t> carry(ht_page_carry_bytes(page_.get()));
  EXPECT_EQ(
      ht_page_save_carry(page_.get(), carry.data(), carry.size(), nullptr),
      HT_BUG);
}

TEST_F(LibraryPage, RefusesWrongNumbersOfRows) {
  for (const char* options : {"", "text-edges=crisp"}) {
    for (const int rows : {-1, 0, 65}) {
      Use(options, {kWidth, 8, 0, 64, 0});
      ASSERT_EQ(Lend(), HT_OK);
      EXPECT_EQ(room_.rows, 64);
      EXPECT_TRUE(Says(Submit(rows, 0), error_, HT_BUG, "of 64"));
    }
  }
}

TEST_F(LibraryPage, RefusesBandsThatWereNotLent) {
  for (const char* options : {"", "text-edges=crisp"}) {
    Use(options);
    ASSERT_EQ(Lend(), HT_OK);
    ASSERT_EQ(Submit(1, 0), HT_OK);
    EXPECT_TRUE(Says(Submit(1, 0), error_, HT_BUG, "was not lent")) << options;
  }
}

TEST_F(LibraryPage, RefusesASecondEnd) {
  Use("");
  ASSERT_EQ(Lend(), HT_OK);
  ASSERT_EQ(Submit(1, 1), HT_OK);
  EXPECT_TRUE(Says(Submit(0, 1), error_, HT_BUG, "not lent"));
}

TEST_F(LibraryPage, RefusesToLendAfterTheLastBand) {
  for (const char* options : {"", "text-edges=crisp"}) {
    Use(options);
    ASSERT_EQ(Lend(), HT_OK);
    ASSERT_EQ(Submit(1, 0), HT_OK);
    ASSERT_EQ(Lend(), HT_OK);
    ASSERT_EQ(Submit(1, 1), HT_OK);
    ASSERT_EQ(Take(), HT_OK);
    ASSERT_EQ(Take(), HT_OK);
    const auto* gray = room_.gray;
    EXPECT_TRUE(
        Says(Lend(), error_, HT_BUG, "asked for room after the last band"));
    EXPECT_EQ(room_.gray, gray);
  }
}

TEST_F(LibraryPage, IsUsedByBandsOrByRows) {
  ASSERT_EQ(Lend(), HT_OK);
  EXPECT_TRUE(Says(Put(), error_, HT_BUG, "by bands or by rows, not both"));
  Use("");
  ASSERT_EQ(Put(), HT_OK);
  EXPECT_TRUE(Says(Lend(), error_, HT_BUG, "by bands or by rows, not both"));
}

TEST_F(LibraryPage, RefusesRowsBeforeTheFinishedOnesWereGot) {
  Use("", {kWidth, 8, 0, 1, 0});
  int rows = 0;
  while (rows < 100 && Put() == HT_OK) ++rows;
  EXPECT_LT(rows, 100);
  EXPECT_TRUE(Says(error_.status, error_, HT_BUG, "finished rows"));
}

TEST_F(LibraryPage, RefusesRowsAfterItsEnd) {
  ASSERT_EQ(Put(), HT_OK);
  ASSERT_EQ(End(), HT_OK);
  ASSERT_EQ(Get(), HT_OK);
  EXPECT_NE(bits_, nullptr);
  ASSERT_EQ(Get(), HT_OK);
  EXPECT_EQ(bits_, nullptr);
  EXPECT_TRUE(Says(Put(), error_, HT_BUG, "after the end"));
}

TEST_F(LibraryPage, EndsOnce) {
  ASSERT_EQ(End(), HT_OK);
  EXPECT_TRUE(Says(End(), error_, HT_BUG, "already ended"));
}

TEST_F(LibraryPage, CanBeEmpty) {
  for (const char* options : {"", "text-edges=crisp"}) {
    Use(options);
    ASSERT_EQ(End(), HT_OK);
    ASSERT_EQ(Get(), HT_OK);
    EXPECT_EQ(bits_, nullptr);
    Use(options);
    ASSERT_EQ(Lend(), HT_OK);
    ASSERT_EQ(Submit(0, 1), HT_OK);
    ASSERT_EQ(Take(), HT_OK);
    EXPECT_EQ(rows_.rows, 0);
    EXPECT_EQ(ht_halftone(nullptr, recipe_.get(), &kLayout, nullptr, 0, 0,
                          nullptr, 0, nullptr),
              HT_OK);
  }
}

TEST_F(LibraryPage, WithCrispEdgesAnswersARowLater) {
  Use("text-edges=crisp");
  for (const int expected : {0, 1, 1}) {
    ASSERT_EQ(Lend(), HT_OK);
    std::memset(room_.gray, 100, kWidth);
    ASSERT_EQ(Submit(1, 0), HT_OK);
    EXPECT_EQ(ht_page_ready(page_.get()), 1);
    ASSERT_EQ(Take(), HT_OK);
    EXPECT_EQ(rows_.rows, expected);
    EXPECT_EQ(ht_page_ready(page_.get()), 0);
  }
  ASSERT_EQ(Lend(), HT_OK);
  ASSERT_EQ(Submit(0, 1), HT_OK);
  ASSERT_EQ(Take(), HT_OK);
  EXPECT_EQ(rows_.rows, 1);
  EXPECT_EQ(rows_.first_row, 2);
}

TEST_F(LibraryPage, WithSofterEdgesAnswersLaterAndAllAtTheEnd) {
  constexpr int kLeast = 120, kMost = 127, kRows = 150;
  for (const char* options : {"text-edges=soft", "text-edges=barcode"}) {
    Use(options);
    int answered = 0;
    for (int rows = 1; rows <= kRows; ++rows) {
      ASSERT_EQ(Lend(), HT_OK);
      std::memset(room_.gray, 100, kWidth);
      ASSERT_EQ(Submit(1, 0), HT_OK);
      ASSERT_EQ(Take(), HT_OK);
      EXPECT_EQ(rows_.first_row, answered);
      answered += rows_.rows;
      EXPECT_LE(rows - answered, kMost) << options;
      if (rows >= kMost) {
        EXPECT_GE(rows - answered, kLeast) << options;
      }
    }
    ASSERT_EQ(Lend(), HT_OK);
    ASSERT_EQ(Submit(0, 1), HT_OK);
    ASSERT_EQ(Take(), HT_OK);
    EXPECT_EQ(answered + rows_.rows, kRows);
  }
}

TEST_F(LibraryPage, HasACarryFromTheStart) {
  std::vector<uint8_t> carry(ht_page_carry_bytes(page_.get()));
  ASSERT_EQ(
      ht_page_save_carry(page_.get(), carry.data(), carry.size(), &error_),
      HT_OK);
  ht_page* page = nullptr;
  ASSERT_EQ(ht_page_open(nullptr, recipe_.get(), &kLayout, carry.data(),
                         carry.size(), &page, &error_),
            HT_OK);
  ht_page_free(page);
  EXPECT_TRUE(Says(
      ht_page_save_carry(page_.get(), carry.data(), carry.size() - 1, &error_),
      error_, HT_BAD_INPUT, "a carry takes"));
  page = nullptr;
  const auto refuses = [&](const char* text) {
    return Says(ht_page_open(nullptr, recipe_.get(), &kLayout, carry.data(),
                             carry.size(), &page, &error_),
                error_, HT_BAD_INPUT, text);
  };
  recipe_ = NewRecipe("gamma=2");
  EXPECT_TRUE(refuses("another recipe"));
  recipe_ = NewRecipe("text-edges=crisp");
  EXPECT_TRUE(refuses("text-edges cannot continue"));
  recipe_ = NewRecipe("");
  EXPECT_EQ(ht_page_open(nullptr, recipe_.get(), &kLayout, nullptr, 5, &page,
                         &error_),
            HT_BUG);
  carry.pop_back();
  EXPECT_TRUE(refuses("carry has"));
  EXPECT_EQ(page, nullptr);
  Use("text-edges=crisp");
  EXPECT_TRUE(
      Says(ht_page_save_carry(page_.get(), carry.data(), carry.size(), &error_),
           error_, HT_BAD_INPUT, "crisp edges cannot be continued"));
}

TEST_F(LibraryPage, RefusesAWrongLayout) {
  ht_page* page = nullptr;
  const auto status = [&](ht_layout layout) {
    return ht_page_open(nullptr, recipe_.get(), &layout, nullptr, 0, &page,
                        &error_);
  };
  for (const ht_layout layout :
       {ht_layout{0, 8, 0, 0, 0}, ht_layout{(1 << 18) + 1, 8, 0, 0, 0},
        ht_layout{10, 12, 0, 0, 0}, ht_layout{10, 8, -1, 0, 0},
        ht_layout{10, 8, 0, -1, 0}, ht_layout{10, 8, 0, 1 << 21, 0},
        ht_layout{10, 8, 0, 0, 1}}) {
    EXPECT_EQ(status(layout), HT_BAD_INPUT);
    EXPECT_STRNE(error_.text, "");
  }
  EXPECT_EQ(page, nullptr);
}

}  // namespace
}  // namespace halftoned::testing
