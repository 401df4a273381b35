// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The codec refuses invalid texts, recipes, pages, carries and sizes, each for
// its own reason.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/wire/words.h"
#include "wire/bytes.h"
#include "wire/checksum.h"
#include "wire/codec.h"

namespace halftoned::wire {
namespace {

// A text from a client that does not clean it.
Bytes RawText(std::string_view text) {
  ByteWriter out;
  out.PutText(text);
  return out.Take();
}

const std::string kUncleanTexts[] = {
    "a\nb",     "\x1b[2J",      std::string("a\0b", 3),
    "\x7f",     "\xff",         "\xc3",
    "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
    "\xc2\x85", "\xe2\x82"};

TEST(CodecRefusal, RefusesTextsThatAreNotClean) {
  for (const std::string& text : kUncleanTexts) {
    for (const uint32_t first : {1u, 2u}) {  // a worker, or a failure's code
      ByteWriter out;
      out.Put(first);
      out.Put(View(RawText(text)));
      EXPECT_FALSE(DecodeFailed(out.bytes()).ok()) << Hex(RawText(text));
      out.Put(uint32_t{0});  // a welcome's bytes of a band
      EXPECT_FALSE(DecodeWelcome(out.bytes()).ok()) << Hex(RawText(text));
    }
  }
}

TEST(CodecRefusal, RefusesTextsThatAreTooLong) {
  const auto with_text = [](size_t bytes) {
    ByteWriter out;
    out.Put(uint32_t{1});
    out.PutText(std::string(bytes, 'x'));
    return out.Take();
  };
  const auto welcome = [&](size_t bytes) {
    Bytes payload = with_text(bytes);
    payload.resize(payload.size() + sizeof(Welcome::band_bytes));
    return payload;
  };
  EXPECT_TRUE(DecodeWelcome(welcome(Welcome::kMaxEngineBytes)).ok());
  EXPECT_FALSE(DecodeWelcome(welcome(Welcome::kMaxEngineBytes + 1)).ok());
  EXPECT_TRUE(DecodeFailed(with_text(kMaxMessageBytes)).ok());
  EXPECT_FALSE(DecodeFailed(with_text(kMaxMessageBytes + 1)).ok());
}

// A hello with these raw texts and a correct checksum.
std::array<std::byte, kHelloBytes> RawHello(std::string_view printer,
                                            std::string_view title) {
  auto bytes = EncodeHello({});
  ByteWriter texts;
  texts.PutText(printer);
  texts.PutText(title);
  std::ranges::copy(texts.bytes(), bytes.begin() + 18);
  ByteWriter sum;
  sum.Put(Checksum(View(bytes).first(kHelloBytes - 4)));
  std::ranges::copy(sum.bytes(), bytes.end() - 4);
  return bytes;
}

TEST(CodecRefusal, RefusesAHelloWhoseTextsAreNotCleanOrTooLong) {
  EXPECT_TRUE(DecodeHello(RawHello("laser", "page")).ok());
  for (const std::string& text : kUncleanTexts) {
    EXPECT_FALSE(DecodeHello(RawHello(text, "page")).ok());
    EXPECT_FALSE(DecodeHello(RawHello("laser", text)).ok());
  }
  EXPECT_TRUE(DecodeHello(RawHello(std::string(127, 'p'), "")).ok());
  EXPECT_FALSE(DecodeHello(RawHello(std::string(128, 'p'), "")).ok());
  EXPECT_TRUE(DecodeHello(RawHello("", std::string(255, 't'))).ok());
  EXPECT_FALSE(DecodeHello(RawHello("", std::string(256, 't'))).ok());
  auto lying = RawHello("laser", "page");
  lying[18] = lying[19] = std::byte{0xff};  // 65535 bytes of printer
  ByteWriter sum;
  sum.Put(Checksum(View(lying).first(kHelloBytes - 4)));
  std::ranges::copy(sum.bytes(), lying.end() - 4);
  EXPECT_FALSE(DecodeHello(lying).ok());
}

TEST(CodecRefusal, CleansAndCutsTheTextsThatItSends) {
  Hello hello;
  hello.printer = "a\nb\xff";
  for (int i = 0; i < 200; ++i) hello.title += "€";
  const auto decoded = DecodeHello(EncodeHello(hello));
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->printer, "a?b?");
  EXPECT_EQ(decoded->title.size(), 255u);
  const auto failed = DecodeFailed(Encode(Failed{
      FailureCode::kProtocol, std::string(kMaxMessageBytes, '!') + "\n"}));
  ASSERT_TRUE(failed.ok());
  EXPECT_EQ(failed->message.size(), kMaxMessageBytes);
}

TEST(CodecRefusal, KnowsTwoCodesOfFailure) {
  for (const uint32_t code : {0u, 3u, 0x80000001u}) {
    Bytes bytes = Encode(kFailed);
    for (size_t i = 0; i < 4; ++i) bytes[i] = std::byte(code >> (8 * i));
    EXPECT_FALSE(DecodeFailed(bytes).ok()) << code;
  }
}

// SampleOpen with one of its numbers replaced.
template <typename Integer>
Result<Open> OpenWith(size_t at, Integer value) {
  Bytes bytes = Encode(SampleOpen());
  ByteWriter number;
  number.Put(value);
  std::ranges::copy(number.bytes(), bytes.begin() + static_cast<ptrdiff_t>(at));
  return DecodeOpen(bytes);
}

template <typename Integer>
void ExpectOpenRefused(size_t at, Integer value, ErrorCode code,
                       const std::string& message) {
  const auto open = OpenWith(at, value);
  ASSERT_FALSE(open.ok()) << message;
  EXPECT_EQ(open.error().code, code) << message;
  EXPECT_NE(open.error().message.find(message), std::string::npos)
      << open.error().message;
}

TEST(CodecRefusal, LeavesUnknownRecipesToOthers) {
  const auto code = ErrorCode::kUnavailable;
  ExpectOpenRefused(kRecipeAt, uint16_t{15}, code,
                    "unknown halftone algorithm");
  ExpectOpenRefused(kRecipeAt, uint16_t{0}, code, "unknown halftone algorithm");
  ExpectOpenRefused(kRecipeAt + 2, uint16_t{2}, code, "unknown version 2");
  // This algorithm has parameter 0, but no others.
  ExpectOpenRefused(kRecipeAt + 12, 1, code, "parameter 1 of floyd-steinberg");
  ExpectOpenRefused(kRecipeAt + 36, -1, code, "parameter 7 of floyd-steinberg");
}

TEST(CodecRefusal, RefusesInvalidRecipes) {
  const auto code = ErrorCode::kBadInput;
  for (const int levels : {0, 1, 3, 256, -2}) {
    ExpectOpenRefused(kRecipeAt + 4, levels, code, "levels");
  }
  ExpectOpenRefused(kRecipeAt + 8, 2, code, "parameter 0");
  ExpectOpenRefused(kCurveAt, uint16_t{4081}, code, "curve");
  ExpectOpenRefused(kCurveAt + 2 * kWhite, uint16_t{65535}, code, "curve");
}

TEST(CodecRefusal, RefusesInvalidPages) {
  const auto code = ErrorCode::kBadInput;
  for (const int width : {0, -1, Page::kMaxWidth + 1, INT32_MAX, INT32_MIN}) {
    ExpectOpenRefused(0, width, code, "width");
  }
  for (const int bits : {0, 1, 7, 9, 32, -8}) {
    ExpectOpenRefused(4, bits, code, "bits per sample");
  }
  for (const int64_t row : {int64_t{-1}, Page::kMaxRows, INT64_MAX}) {
    ExpectOpenRefused(8, row, code, "first row");
  }
  for (const int rows : {0, -1, Page::kMaxRowsPerBand + 1, INT32_MAX}) {
    ExpectOpenRefused(16, rows, code, "rows per band");
  }
  for (const int has_carry : {2, 255}) {
    ExpectOpenRefused(20, static_cast<uint8_t>(has_carry), code, "malformed");
  }
  // A carry that is present but not announced, and the reverse.
  ExpectOpenRefused(20, uint8_t{0}, code, "malformed");
  Open bare = SampleOpen();
  bare.carry.reset();
  Bytes bytes = Encode(bare);
  bytes[20] = std::byte{1};
  EXPECT_FALSE(DecodeOpen(bytes).ok());
}

TEST(CodecRefusal, RefusesCarriesThatAreNotThePages) {
  const auto code = ErrorCode::kBadInput;
  ExpectOpenRefused(kCarryAt, uint8_t{'h'}, code,
                    "does not begin with HTCARRY1");
  ExpectOpenRefused(kCarryAt + 8, uint64_t{1}, code, "another recipe");
  ExpectOpenRefused(kCarryAt + 16, int64_t{0x01020305}, code,
                    "continues at row");
  ExpectOpenRefused(kCarryAt + 16, int64_t{-1}, code, "continues at row");
  ExpectOpenRefused(kCarryAt + 24, 4, code, "columns wide");
  ExpectOpenRefused(kCarryAt + 28, uint32_t{2}, code, "planes");
  ExpectOpenRefused(kCarryAt + 32, int16_t{-680}, code, "is not in -679");
  ExpectOpenRefused(kCarryAt + 36, int16_t{681}, code, "is not in -679");
  EXPECT_TRUE(OpenWith(kCarryAt + 32, int16_t{680}).ok());
}

TEST(CodecRefusal, RefusesAnswersWithTheCarryOfOtherRows) {
  const Open open = SampleOpen();
  const Bytes answer = Encode(kAnswer, &*open.carry);
  EXPECT_TRUE(DecodeCarry(answer, open.recipe, open.page).ok());
  Bytes cut = answer;
  cut.pop_back();
  EXPECT_FALSE(DecodeCarry(cut, open.recipe, open.page).ok());
  const auto below =
      DecodeCarry(answer, open.recipe, open.page.StartingAt(0x01020305));
  ASSERT_FALSE(below.ok());
  EXPECT_EQ(below.error().code, ErrorCode::kBadInput);
  EXPECT_FALSE(DecodeCarry(answer, Recipe::FloydSteinberg(4), open.page).ok());
  EXPECT_FALSE(DecodeAnswer(Encode(Answer{-1, 2, 0}, &*open.carry)).ok());
  EXPECT_FALSE(DecodeAnswer(Encode(Answer{1, -2, 0}, &*open.carry)).ok());
}

TEST(CodecRefusal, RefusesInvalidRingsAndBands) {
  EXPECT_TRUE(DecodeRing(Encode(Ring{1, kMaxRingBytes})).ok());
  for (const uint64_t bytes : {uint64_t{0}, kMaxRingBytes + 1, UINT64_MAX}) {
    EXPECT_FALSE(DecodeRing(Encode(Ring{bytes, 64})).ok()) << bytes;
    EXPECT_FALSE(DecodeRing(Encode(Ring{64, bytes})).ok()) << bytes;
  }
  EXPECT_TRUE(DecodeBand(Encode(Band{0, true, 0, 0, 0})).ok());
  EXPECT_FALSE(DecodeBand(Encode(Band{0, false, 0, 0, 0})).ok());
  EXPECT_FALSE(DecodeBand(Encode(Band{-1, true, 0, 0, 0})).ok());
  Bytes maybe_last = Encode(kBand);
  maybe_last[4] = std::byte{2};
  EXPECT_FALSE(DecodeBand(maybe_last).ok());
}

}  // namespace
}  // namespace halftoned::wire
