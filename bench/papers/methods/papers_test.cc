// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The papers' methods for the CPU against the definition, bit for bit.

#include <gtest/gtest.h>

#include "bench/papers/methods/blocks.h"
#include "bench/papers/methods/check_picture.h"
#include "bench/papers/methods/knight_order.h"
#include "bench/papers/methods/sequential.h"

namespace halftoned::papers {
namespace {

constexpr int kSides[] = {1, 2, 3, 4, 7, 8, 31, 32, 33, 64, 100, 130};

class Papers : public ::testing::Test {
 protected:
  // `halftone` is given the picture and a new plane.
  template <typename Halftone>
  void Expect(const testing::GrayPage& gray, const std::string& what,
              const Halftone& halftone) {
    const int width = gray.page.width();
    std::vector<uint8_t> pixels(gray.samples.size(), 77);
    Plane plane(width, gray.rows);
    halftone(Picture{BytesOf(gray), pixels.data(), width, gray.rows}, plane);
    ExpectSame(PixelsByDefinition(gray), pixels, width,
               what + ", seed " + std::to_string(seed_));
  }

  const uint64_t seed_ = testing::FreshSeed();
  testing::Random random_{seed_};
};

TEST_F(Papers, SequentialMethodsGiveTheBitsOfTheDefinition) {
  for (int width : kSides) {
    for (int rows : kSides) {
      const auto content = testing::kContents[random_() % 5];
      const auto gray = GrayOf(width, rows, content, random_);
      for (const Sequential& method : kSequential) {
        Expect(gray, method.name, [&](const Picture& picture, Plane& a) {
          RunSequential(method, picture, a);
        });
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(Papers, APlaneMayBeUsedAgain) {
  const auto first = GrayOf(50, 40, testing::Content::kNoise, random_);
  const auto second = GrayOf(50, 40, testing::Content::kNoise, random_);
  for (const Sequential& method : kSequential) {
    Expect(second, method.name, [&](const Picture& picture, Plane& a) {
      RunSequential(method, {BytesOf(first), picture.pixels, 50, 40}, a);
      RunSequential(method, picture, a);
    });
  }
}

TEST_F(Papers, BlocksOnThreadsGiveTheBitsOfTheDefinition) {
  for (int threads : {1, 2, 3, 5}) {
    for (int width : {1, 2, 5, 33, 130, 401}) {
      for (int rows : {1, 2, 9, 64, 203}) {
        const auto content = testing::kContents[random_() % 5];
        Expect(GrayOf(width, rows, content, random_),
               std::to_string(threads) + " threads",
               [&](const Picture& picture, Plane& a) {
                 RunBlocks(picture, a, threads);
               });
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(Papers, BlocksAreWiderThanHighAndGiveEveryThreadOne) {
  std::vector<uint8_t> none;
  for (int width : {2, 10, 100, 1024, 6042}) {
    for (int rows : {1, 10, 768, 3298}) {
      for (int threads : {1, 2, 9, 16}) {
        const auto size =
            BlockSize::For({none.data(), none.data(), width, rows}, threads);
        EXPECT_GE(size.rows, 1);
        EXPECT_GT(size.columns, size.rows);
        if (width >= 4 * threads && rows >= threads) {
          EXPECT_LE(size.columns * 2 * threads, width);
          EXPECT_LE(size.rows * threads, rows);
        }
      }
    }
  }
}

TEST_F(Papers, KnightsOrderHoldsEveryPixelOnceAndLabelAfterLabel) {
  for (int width : {1, 2, 3, 4, 17}) {
    for (int rows : {1, 2, 3, 9}) {
      const KnightOrder order(width, rows);
      std::vector<int> label_at(static_cast<size_t>(width * rows), -1);
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < width; ++j) {
          const int label = 2 * i + j;
          ASSERT_GE(i, order.FirstRow(label));
          ASSERT_LT(i, order.EndRow(label));
          int& at = label_at[static_cast<size_t>(order.Base(label) + i)];
          ASSERT_EQ(at, -1);
          at = label;
        }
      }
      EXPECT_TRUE(std::ranges::is_sorted(label_at));
      EXPECT_EQ(order.Start(order.labels()), width * rows);
    }
  }
}

// Figure 6: a picture of 3 rows of 4 pixels.
TEST_F(Papers, KnightsOrderIsThatOfThePapersFigure) {
  const KnightOrder order(4, 3);
  const int expected[3][4] = {{0, 1, 2, 4}, {3, 5, 6, 8}, {7, 9, 10, 11}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      EXPECT_EQ(order.Base(2 * i + j) + i, expected[i][j]);
    }
  }
}

}  // namespace
}  // namespace halftoned::papers
