// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every message of the wire: decoding returns what was encoded, its bytes are
// the specified ones, and no other bytes decode to it. A second implementation,
// in Python, made the expected bytes.

#include "wire/codec.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/wire/words.h"
#include "wire/bytes.h"
#include "wire/checksum.h"

namespace halftoned::wire {
namespace {

uint64_t Digest(View bytes) {  // FNV-1a
  uint64_t hash = 0xcbf29ce484222325u;
  for (const std::byte byte : bytes) {
    hash = (hash ^ std::to_integer<uint64_t>(byte)) * 0x100000001b3u;
  }
  return hash;
}

// Whether the decoded message encodes to the same bytes.
using Recode = std::function<Result<Bytes>(View)>;

struct Word {
  const char* name;
  Bytes bytes;
  Recode recode;  // decodes, and encodes the result
};

template <typename T>
Recode RecodeBy(Result<T> (*decode)(View)) {
  return [decode](View bytes) -> Result<Bytes> {
    HALFTONED_TRY_ASSIGN(const T word, decode(bytes));
    return Encode(word);
  };
}

Result<Bytes> RecodeAnswer(View bytes) {
  const Open open = SampleOpen();
  HALFTONED_TRY_ASSIGN(const Answer answer, DecodeAnswer(bytes));
  HALFTONED_TRY_ASSIGN(const std::optional<Carry> carry,
                       DecodeCarry(bytes, open.recipe, open.page));
  return Encode(answer, carry ? &*carry : nullptr);
}

std::vector<Word> Words() {
  const Open whole = SampleOpen();
  Open bare = whole;
  bare.carry.reset();
  return {{"welcome", Encode(kWelcome), RecodeBy(DecodeWelcome)},
          {"ring", Encode(kRing), RecodeBy(DecodeRing)},
          {"open", Encode(SampleOpen()), RecodeBy(DecodeOpen)},
          {"open without a carry", Encode(bare), RecodeBy(DecodeOpen)},
          {"band", Encode(kBand), RecodeBy(DecodeBand)},
          {"answer", Encode(kAnswer, &*whole.carry), RecodeAnswer},
          {"answer without a carry", Encode(kAnswer, nullptr), RecodeAnswer},
          {"failed", Encode(kFailed), RecodeBy(DecodeFailed)}};
}

TEST(Codec, GivesTheSpecifiedBytes) {
  const auto hello = EncodeHello(kHello);
  EXPECT_EQ(Hex(View(hello).first(44)),
            "4854454c0300040302010500000006000000050042c3bc726f07005365697465"
            "20310a090807000000000000");
  EXPECT_EQ(Digest(hello), 0x89b1a8d36808acdbu);
  EXPECT_EQ(Hex(EncodeFrame(FrameType::kBand, 7, 9,
                            Bytes{std::byte{1}, std::byte{2}, std::byte{3}},
                            0x10203)),
            "48544e3103000300070000000900000003000000030201003b73ae32d1f00ead"
            "010203");
  EXPECT_EQ(Hex(Encode(kWelcome)), "0403020104006176783208070605");
  EXPECT_EQ(Hex(Encode(kRing)), "0d0c0b0a000000000807060000000000");
  const Bytes open = Encode(SampleOpen());
  EXPECT_EQ(Hex(View(open).first(69)),
            "0300000010000000040302010000000005000000010100010004000000"
            "0000000000000000000000000000000000000000000000000000000000000000"
            "f00fef0fee0fed0f");
  EXPECT_EQ(Digest(open), 0xc185482498f5778eu);
  EXPECT_EQ(Hex(Encode(kBand)),
            "04030201010c0b0a090807060514131211100f0e0d18171615");
  const Open above = SampleOpen();
  EXPECT_EQ(Hex(Encode(kAnswer, &*above.carry)),
            "02030201000000000200000018171615014854434152525931841ff53e1ee88685"
            "0403020100000000030000000100000059fd0000a802");
  EXPECT_EQ(Hex(Encode(kFailed)), "010000000c006f7574206f6620746f6e6572");
}

TEST(Codec, GivesTheSpecifiedChecksums) {
  const std::pair<size_t, uint32_t> expected[] = {
      {0, 0x38d394c2},  {1, 0xeb86ceeb},   {63, 0xa072ec8a},  {64, 0xe7dc3fa3},
      {65, 0x715d0a0e}, {200, 0xfaab301e}, {1000, 0x8622d913}};
  for (const auto& [count, sum] : expected) {
    Bytes bytes(count);
    for (size_t i = 0; i < count; ++i) bytes[i] = std::byte(7 * i + 1);
    EXPECT_EQ(Checksum(bytes), sum) << count << " bytes";
  }
}

TEST(Codec, ReadsEveryMessageThatItWrites) {
  for (const Word& word : Words()) {
    const auto again = word.recode(word.bytes);
    ASSERT_TRUE(again.ok()) << word.name << ": " << again.error().message;
    EXPECT_EQ(*again, word.bytes) << word.name;
  }
  const auto hello = DecodeHello(EncodeHello(kHello));
  ASSERT_TRUE(hello.ok());
  EXPECT_EQ(hello->job, kHello.job);
  EXPECT_EQ(hello->wanted_worker, kHello.wanted_worker);
  EXPECT_EQ(hello->avoided_worker, kHello.avoided_worker);
  EXPECT_EQ(hello->printer, kHello.printer);
  EXPECT_EQ(hello->title, kHello.title);
  EXPECT_EQ(hello->recipe_kind, kHello.recipe_kind);
  const auto open = DecodeOpen(Encode(SampleOpen()));
  ASSERT_TRUE(open.ok());
  EXPECT_EQ(open->recipe, SampleOpen().recipe);
  EXPECT_EQ(open->carry, SampleOpen().carry);
}

TEST(Codec, RefusesEveryWordThatIsCutOrLengthened) {
  for (const Word& word : Words()) {
    for (size_t bytes = 0; bytes < word.bytes.size(); ++bytes) {
      const auto cut = word.recode(View(word.bytes).first(bytes));
      ASSERT_FALSE(cut.ok()) << word.name << " of " << bytes << " bytes";
      ASSERT_EQ(cut.error().code, ErrorCode::kBadInput) << word.name;
    }
    Bytes longer = word.bytes;
    for (int surplus = 1; surplus <= 9; ++surplus) {
      longer.push_back(std::byte{0});
      const auto decoded = word.recode(longer);
      ASSERT_FALSE(decoded.ok()) << word.name << " and " << surplus;
      ASSERT_EQ(decoded.error().code, ErrorCode::kBadInput) << word.name;
    }
  }
}

// Where no checksum covers a message, a flipped bit must be refused, or decode
// to another message that encodes to the flipped bytes.
TEST(Codec, TakesAFlippedBitForNothingOrForAnotherWord) {
  for (const Word& word : Words()) {
    for (size_t bit = 0; bit < 8 * word.bytes.size(); ++bit) {
      const bool in_curve = bit > 8 * kCurveAt && bit < 8 * (kCarryAt - 2);
      if (in_curve && bit % 97 != 0) continue;
      Bytes flipped = word.bytes;
      flipped[bit / 8] ^= std::byte(1u << (bit % 8));
      const auto again = word.recode(flipped);
      ASSERT_TRUE(!again.ok() || *again == flipped)
          << word.name << ", bit " << bit;
    }
  }
}

TEST(Codec, NoticesEveryFlippedBitOfAFrame) {
  const Bytes payload = Encode(SampleOpen());
  const Bytes frame = EncodeFrame(FrameType::kOpen, 1, 2, payload, 3);
  const auto notices = [&](size_t bit) {
    Bytes flipped = frame;
    flipped[bit / 8] ^= std::byte(1u << (bit % 8));
    const auto header = DecodeHeader(View(flipped).first<kHeaderBytes>());
    return !header.ok() ||
           !CheckPayload(*header, View(flipped).subspan(kHeaderBytes)).ok();
  };
  for (size_t bit = 0; bit < 8 * frame.size(); ++bit) {
    ASSERT_TRUE(notices(bit)) << "bit " << bit;
  }
  const auto header = DecodeHeader(View(frame).first<kHeaderBytes>());
  ASSERT_TRUE(header.ok());
  EXPECT_FALSE(CheckPayload(*header, View(payload).first(5)).ok());
  EXPECT_TRUE(CheckPayload(*header, payload).ok());
}

TEST(Codec, NoticesEveryFlippedBitOfAHello) {
  const auto hello = EncodeHello(kHello);
  for (size_t bit = 0; bit < 8 * hello.size(); ++bit) {
    auto flipped = hello;
    flipped[bit / 8] ^= std::byte(1u << (bit % 8));
    const auto decoded = DecodeHello(flipped);
    // Another version may have its checksum anywhere: the supervisor refuses
    // it.
    ASSERT_TRUE(!decoded.ok() || decoded->version != kVersion) << "bit " << bit;
  }
}

TEST(Codec, RefusesFramesThatAreTooLarge) {
  const auto header_of = [](uint32_t length, uint32_t tail) {
    return DecodeHeader(
        View(HeaderThatAnnounces(length, tail)).first<kHeaderBytes>());
  };
  EXPECT_TRUE(header_of(kMaxPayloadBytes, kMaxTailBytes).ok());
  EXPECT_FALSE(header_of(kMaxPayloadBytes + 1, 0).ok());
  EXPECT_FALSE(header_of(0, kMaxTailBytes + 1).ok());
  EXPECT_FALSE(header_of(UINT32_MAX, UINT32_MAX).ok());
}

TEST(Codec, ErrorsNameAFramesVersion) {
  Bytes frame = EncodeFrame(FrameType::kBand, 0, 0, {});
  frame[4] = std::byte{9};
  const auto header = DecodeHeader(View(frame).first<kHeaderBytes>());
  ASSERT_FALSE(header.ok());
  EXPECT_EQ(header.error().message, "a frame of version 9; this is version 3");
}

}  // namespace
}  // namespace halftoned::wire
