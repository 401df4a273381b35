// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/page.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

TEST(Page, IsCheckedWhenItIsMade) {
  EXPECT_TRUE(Page::Make(1, 8).ok());
  EXPECT_TRUE(Page::Make(Page::kMaxWidth, 16, Page::kMaxRows - 1).ok());
  EXPECT_FALSE(Page::Make(0, 8).ok());
  EXPECT_FALSE(Page::Make(Page::kMaxWidth + 1, 8).ok());
  EXPECT_FALSE(Page::Make(int64_t{1} << 32, 8).ok());
  EXPECT_FALSE(Page::Make(10, 1).ok());
  EXPECT_FALSE(Page::Make(10, 8, -1).ok());
  EXPECT_FALSE(Page::Make(10, 8, Page::kMaxRows).ok());
}

TEST(Page, SuitableBandsAreBoundedWhateverTheWidth) {
  for (int width : {1, 100, 4960, 100000, Page::kMaxWidth}) {
    const Page page = *Page::Make(width, 16);
    const int32_t rows = SuitableRowsPerBand(page);
    EXPECT_GE(rows, 64);
    EXPECT_LE(rows, 256);
    EXPECT_EQ(rows % 64, 0);
    EXPECT_LE(static_cast<size_t>(rows) * page.gray_bytes_per_row(),
              size_t{34} << 20);
  }
}

}  // namespace
}  // namespace halftoned
