// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "halftone/look/gray/luminance.h"
#include "images.h"
#include "print/image/formats.h"

namespace halftoned {
namespace {

using Samples = std::vector<uint16_t>;

std::string Bytes(std::initializer_list<int> values) {
  std::string bytes;
  for (int value : values) bytes += static_cast<char>(value);
  return bytes;
}

std::string ErrorOf(const std::string& bytes) {
  const auto pages = ReadPages(bytes);
  return pages.ok() ? "" : pages.error().message;
}

TEST(PnmReader, ReadsPlainImages) {
  EXPECT_EQ(ReadGray("P1\n3 2\n0 1 0\n110\n").samples,
            (Samples{255, 0, 255, 0, 0, 255}));
  EXPECT_EQ(ReadGray("P2 3 1 255 0 17 255").samples, (Samples{0, 17, 255}));
  EXPECT_EQ(ReadGray("P2 2 1 65535 258 65535 ").samples, (Samples{258, 65535}));
  EXPECT_EQ(ReadGray("P3 1 1 255 10 20 30").samples,
            (Samples{uint16_t(Luma(10, 20, 30))}));
}

TEST(PnmReader, ReadsRawImages) {
  EXPECT_EQ(ReadGray("P4\n10 2\n" + Bytes({0x55, 0x40, 0xff, 0xff})).samples,
            (Samples{255, 0, 255, 0, 255, 0, 255, 0, 255, 0,  //
                     0,   0, 0,   0, 0,   0, 0,   0, 0,   0}));
  EXPECT_EQ(ReadGray("P5 2 2 255\n" + Bytes({1, 2, 3, 4})).samples,
            (Samples{1, 2, 3, 4}));
  EXPECT_EQ(ReadGray("P5 2 1 65535\n" + Bytes({1, 2, 3, 4})).samples,
            (Samples{0x102, 0x304}));
  // Rows without room behind them.
  EXPECT_EQ(ReadGray("P5 2 1 65535\n" + Bytes({1, 2, 3, 4}), 2).samples,
            (Samples{0x0102, 0x0304}));
  EXPECT_EQ(ReadGray("P6 1 1 65535\n" + Bytes({1, 2, 3, 4, 5, 6})).samples,
            (Samples{uint16_t(Luma(0x102, 0x304, 0x506))}));
}

TEST(PnmReader, ScalesToFullLight) {
  EXPECT_EQ(ReadGray("P5 3 1 100\n" + Bytes({0, 50, 100})).samples,
            (Samples{0, 128, 255}));
  EXPECT_EQ(ReadGray("P2 3 1 1000 0 500 1000").samples,
            (Samples{0, 32768, 65535}));
}

TEST(PnmReader, SkipsComments) {
  EXPECT_EQ(ReadGray("P5# a\n#b\n2 # c 7\n1\n255\n" + Bytes({'#', 9})).samples,
            (Samples{'#', 9}));
}

TEST(PnmReader, ReadsSeveralImages) {
  const auto pages =
      ReadPages("P5 1 1 255\nAP2 2 1 9 9 0\nP4 1 1\n" + Bytes({0x80}) + "\n");
  ASSERT_TRUE(pages.ok()) << pages.error().message;
  ASSERT_EQ(pages->size(), 3u);
  EXPECT_EQ((*pages)[0].samples, (Samples{'A'}));
  EXPECT_EQ((*pages)[1].samples, (Samples{255, 0}));
  EXPECT_EQ((*pages)[2].samples, (Samples{0}));
}

TEST(PnmReader, ExplainsErrors) {
  EXPECT_EQ(ErrorOf("P5 3 1 255\nab"), "ends too early");
  EXPECT_EQ(ErrorOf("P5 3 1 100\nabe"), "a sample is larger than 100");
  EXPECT_EQ(ErrorOf("P5 0 1 255\n"), "has no pixels");
  EXPECT_EQ(ErrorOf("P5 1 0 255\n"), "has no pixels");
  EXPECT_EQ(ErrorOf("P5 262145 1 255\n"), "the width is larger than 262144");
  EXPECT_EQ(ErrorOf("P5 1 99999999999999999999 255\n"),
            "the height is larger than 4294967296");
  EXPECT_EQ(ErrorOf("P5 1 1 65536\n"),
            "the highest value is larger than 65535");
  EXPECT_EQ(ErrorOf("P5 1 1 0\n"), "the highest value is 0");
  EXPECT_EQ(ErrorOf("P5 -1 1 255\n"), "the width is not a number");
  EXPECT_EQ(ErrorOf("P5 1x 1 255\n"), "the width is not a number");
  EXPECT_EQ(ErrorOf("P1 2 1 02"), "a pixel is not 0 or 1");
  EXPECT_EQ(ErrorOf("P2 1 1 9 10"), "a sample is larger than 9");
  EXPECT_EQ(ErrorOf("P5 1 1 255\nAxyz"),
            "the data after the image is not another image");
  EXPECT_EQ(ErrorOf("P7 1 1 255\nA"), "is not TIFF, PNG, JPEG or PNM");
  EXPECT_EQ(ErrorOf(""), "is empty");
}

}  // namespace
}  // namespace halftoned
