// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/text.h"

#include <gtest/gtest.h>

#include <string>

namespace halftoned {
namespace {

TEST(NearestOf, FindsWhatWasMeant) {
  constexpr std::string_view kKnown[] = {"gamma", "levels", "dot-gain",
                                         "cluster-size", "off"};
  for (const auto& [word, meant] : {std::pair("gama", "gamma"),
                                    {"gmama", "gamma"},
                                    {"Gamma", "gamma"},
                                    {"gammma", "gamma"},
                                    {"dotgain", "dot-gain"},
                                    {"dot_gain", "dot-gain"},
                                    {"clusters-size", "cluster-size"},
                                    {"level", "levels"},
                                    {"of", "off"}}) {
    EXPECT_EQ(NearestOf(word, kKnown), meant) << word;
  }
}

TEST(NearestOf, IgnoresFarWords) {
  constexpr std::string_view kKnown[] = {"gamma", "levels", "off"};
  for (const char* word : {"", "o", "gm", "brightness", "xevexx", "xx"}) {
    EXPECT_EQ(NearestOf(word, kKnown), "") << word;
  }
}

TEST(Text, IsShownWithoutUnusualSpacesAndFillers) {
  for (const char* seen : {"a", " ", "\u00e9", "\u6f22", "\U0001f5a8"}) {
    EXPECT_TRUE(IsSeen(seen)) << seen;
  }
  for (const char* hidden : {"\t", "\u00a0", "\u200b", "\u2003", "\u202e",
                             "\u2800", "\u3164", "\ufe0f", "\U000e0100"}) {
    EXPECT_FALSE(IsSeen(hidden)) << hidden;
  }
}

TEST(Text, IsPrintableWithoutControls) {
  EXPECT_EQ(Printable("a b\n\x1b[m\x7f"), "a b??[m?");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "??31m");  // C1's CSI
  EXPECT_EQ(Printable("\u00e4\u20ac\U0001f5a8"), "\u00e4\u20ac\U0001f5a8");
  EXPECT_EQ(Printable("\xff\xc3"), "??");
}

TEST(Text, IsPrintableWithoutFormattingCharacters) {
  EXPECT_EQ(Printable("a\u202efdp.b\u2069"), "a???fdp.b???");
  EXPECT_EQ(Printable("\u00ad\u2028\ufeff\u061c"), "??????????");
  EXPECT_EQ(Printable("\U000e0041"), "????");
  // Their neighbors.
  const std::string printed =
      "\u00a0\u00ac\u00ae\u200a\u2010\u2027\u202f\u2065\u2070\ufefe"
      "\U000e0000\U000e0080";
  EXPECT_EQ(Printable(printed), printed);
}

TEST(Text, IsCutBetweenCharacters) {
  EXPECT_EQ(Printable("ab\u00e4", 3), "ab");
  EXPECT_EQ(Printable("ab\u00e4", 4), "ab\u00e4");
  EXPECT_EQ(Printable("ab", 0), "");
}

TEST(Text, FromALibraryBecomesOneLineWithoutAPeriod) {
  EXPECT_EQ(OneLine("\n a\n\tb  c.\r\n"), "a b c");
  EXPECT_EQ(OneLine("1.5"), "1.5");
  EXPECT_EQ(OneLine("\n"), "");
}

TEST(Text, IsLoweredOnlyInAsciiLetters) {
  EXPECT_EQ(LowerCase("aZ@[\u00c4"), "az@[\u00c4");
}

TEST(Text, ThatIsNotUtf8IsLatin1) {
  EXPECT_EQ(Utf8FromAny("gr\u00fcn"), "gr\u00fcn");
  EXPECT_EQ(Utf8FromAny("gr\xfcn"), "gr\u00fcn");
  EXPECT_EQ(Utf8FromAny("\xed\xa0\x80"), "\u00ed\u00a0\u0080");
  EXPECT_EQ(Utf8FromAny(""), "");
}

}  // namespace
}  // namespace halftoned
