// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/tone_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace halftoned {
namespace {

TEST(ToneCurve, IsTheIdentityByDefault) {
  const ToneCurve curve;
  EXPECT_TRUE(curve.is_identity());
  for (int a = 0; a < 256; ++a) {
    EXPECT_EQ(curve.At8(static_cast<uint8_t>(a)), 16 * a);
  }
  EXPECT_EQ(curve.At16(0), 0);
  EXPECT_EQ(curve.At16(65535), 4080);
}

TEST(ToneCurve, SixteenBitGrayOfAnEightBitToneHasTheSameValue) {
  const ToneCurve curve;
  for (int a = 0; a < 256; ++a) {
    EXPECT_EQ(curve.At16(static_cast<uint16_t>(a * 257)), 16 * a);
  }
}

TEST(ToneCurve, RefusesValuesAboveWhite) {
  ToneCurve::Table table{};
  table[17] = 4081;
  const auto curve = ToneCurve::FromTable(table);
  ASSERT_FALSE(curve.ok());
  EXPECT_NE(curve.error().message.find("step 17"), std::string::npos);
}

TEST(ToneCurve, GammaKeepsTheEndsAndRises) {
  for (double gamma : {0.1, 0.5, 1.0, 1.8, 10.0}) {
    const ToneCurve curve = *ToneCurve::FromGamma(gamma);
    EXPECT_EQ(curve.table().front(), 0);
    EXPECT_EQ(curve.table().back(), 4080);
    EXPECT_TRUE(std::is_sorted(curve.table().begin(), curve.table().end()));
  }
  EXPECT_TRUE(ToneCurve::FromGamma(1.0)->is_identity());
  EXPECT_GT(ToneCurve::FromGamma(2.0)->At8(64), 64 * 16);
  EXPECT_FALSE(ToneCurve::FromGamma(0).ok());
  EXPECT_FALSE(ToneCurve::FromGamma(std::nan("")).ok());
}

TEST(ToneCurve, AFileIsStraightBetweenItsPoints) {
  const auto curve = ToneCurve::Parse(
      "# a lighter middle\n"
      "0 0\n"
      "\n"
      "  100\t150.5 # here\r\n"
      "255 255");
  ASSERT_TRUE(curve.ok()) << curve.error().message;
  EXPECT_EQ(curve->At8(0), 0);
  EXPECT_EQ(curve->At8(50), 1204);
  EXPECT_EQ(curve->At8(100), 2408);
  EXPECT_EQ(curve->At8(255), 4080);
  EXPECT_TRUE(ToneCurve::Parse("0 0\n255 255\n")->is_identity());
}

TEST(ToneCurve, ABadFileIsRefusedWithItsLine) {
  struct Case {
    const char* text;
    const char* message;
  };
  for (const auto& [text, message] : {
           Case{"", "the last pair, 255 255, is missing"},
           Case{"0 0\n", "the last pair, 255 255, is missing"},
           Case{"1 0\n255 255\n", "line 1: the first pair must be 0 0"},
           Case{"#\n0 10\n255 255\n", "line 2: the first pair must be 0 0"},
           Case{"0 0\n\n255 254\n", "line 3: the last pair must be 255 255"},
           Case{"0 0\n255 255\n255 255\n", "line 3: inputs must rise"},
           Case{"\xEF\xBB\xBF# curve\n0 0\n255 255\n",
                "line 1: expected two numbers from 0 to 255, found the byte "
                "0xEF of a byte order mark"},
           Case{"\xFF\xFE"
                "0",
                "line 1: expected two numbers from 0 to 255, "
                "found the byte 0xFF of a byte order mark"},
           Case{"0 0\n10\xC2\xA0"
                "12\n",
                "line 2: expected two numbers from "
                "0 to 255, found the byte 0xC2"},
           Case{"0 0\n10,12\n", "line 2: expected two numbers"},
           Case{"0 0\n10 20\n10 30\n255 255", "line 3: inputs must rise"},
           Case{"0 0\n9 9\n255 8\n", "line 3: outputs must not fall"},
           Case{"0 0\n300 255\n", "line 2: expected two numbers"},
           Case{"0 0\n255 256\n", "line 2: expected two numbers"},
           Case{"0 0\n255\n", "line 2: expected two numbers"},
           Case{"0 0 0\n255 255\n", "line 1: expected two numbers"},
           Case{"0 0\nnan 3\n255 255\n", "line 2: expected two numbers"},
           Case{"0 zero\n", "line 1: expected two numbers"},
           Case{"0x10 3\n", "line 1: expected two numbers"},
       }) {
    const auto curve = ToneCurve::Parse(text);
    ASSERT_FALSE(curve.ok()) << text;
    EXPECT_EQ(curve.error().message.find(message), 0u) << curve.error().message;
  }
}

TEST(ToneCurve, ThenAppliesOneCurveAfterTheOther) {
  const ToneCurve first = *ToneCurve::Parse("0 0\n100 50.5\n255 255\n");
  const ToneCurve second = *ToneCurve::FromGamma(2);
  const ToneCurve both = first.Then(second);
  EXPECT_EQ(both.At8(200), second.table()[static_cast<size_t>(first.At8(200))]);
}

}  // namespace
}  // namespace halftoned
