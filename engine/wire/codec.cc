// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wire/codec.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "wire/bytes.h"
#include "wire/checksum.h"

namespace halftoned::wire {
namespace {

Error Malformed(const char* what) {
  return BadInput(std::string("the ") + what + " is malformed");
}

// Whether Printable would leave the text unchanged.
bool IsClean(const std::string& text, size_t max_bytes) {
  return text.size() <= max_bytes && Printable(text) == text;
}

void PutRecipe(const Recipe& recipe, ByteWriter& out) {
  const Recipe::Parts& parts = recipe.parts();
  out.Put(static_cast<uint16_t>(parts.algorithm));
  out.Put(parts.version);
  out.Put(static_cast<int32_t>(parts.levels));
  for (const int32_t parameter : parts.parameters) out.Put(parameter);
  for (const uint16_t step : parts.curve.table()) out.Put(step);
}

Result<Recipe> GetRecipe(ByteReader& in) {
  Recipe::Parts parts;
  parts.algorithm = static_cast<Algorithm>(in.Get<uint16_t>());
  parts.version = in.Get<uint16_t>();
  parts.levels = in.Get<int32_t>();
  for (int32_t& parameter : parts.parameters) parameter = in.Get<int32_t>();
  ToneCurve::Table table;
  for (uint16_t& step : table) step = in.Get<uint16_t>();
  if (!in.ok()) return Malformed("open");
  HALFTONED_TRY_ASSIGN(parts.curve, ToneCurve::FromTable(table));
  return Recipe::Make(parts);
}

}  // namespace

// hello = magic:u32 version:u16 job:u32 wanted:u32 avoided:u32 printer:text
//         title:text { 0 } checksum:u32
std::array<std::byte, kHelloBytes> EncodeHello(const Hello& hello) {
  ByteWriter out;
  out.PutAll(kHelloMagic, hello.version, hello.job, hello.wanted_worker,
             hello.avoided_worker,
             Printable(hello.printer, Hello::kMaxPrinterBytes),
             Printable(hello.title, Hello::kMaxTitleBytes), hello.recipe_kind);
  std::array<std::byte, kHelloBytes> bytes{};
  std::ranges::copy(out.bytes(), bytes.begin());
  const auto body = std::span(bytes).first<kHelloBytes - sizeof(uint32_t)>();
  ByteWriter checksum;
  checksum.Put(Checksum(body));
  std::ranges::copy(checksum.bytes(), bytes.begin() + body.size());
  return bytes;
}

Result<Hello> DecodeHello(std::span<const std::byte, kHelloBytes> bytes) {
  ByteReader in(bytes);
  if (in.Get<uint32_t>() != kHelloMagic) return Malformed("hello");
  Hello hello;
  hello.version = in.Get<uint16_t>();
  if (hello.version != kVersion) return hello;
  const auto body = bytes.first<kHelloBytes - sizeof(uint32_t)>();
  if (ByteReader(bytes.subspan(body.size())).Get<uint32_t>() !=
      Checksum(body)) {
    return BadInput("the handshake's checksum is wrong");
  }
  in.GetAll(hello.job, hello.wanted_worker, hello.avoided_worker, hello.printer,
            hello.title, hello.recipe_kind);
  if (!in.ok() || !IsClean(hello.printer, Hello::kMaxPrinterBytes) ||
      !IsClean(hello.title, Hello::kMaxTitleBytes)) {
    return Malformed("hello");
  }
  return hello;
}

Bytes EncodeFrame(FrameType type, uint32_t sequence, uint32_t page,
                  View payload, uint32_t tail) {
  ByteWriter out;
  out.Reserve(kHeaderBytes + payload.size());
  out.PutAll(kMagic, kVersion, static_cast<uint16_t>(type), sequence, page,
             static_cast<uint32_t>(payload.size()), tail, Checksum(payload));
  out.Put(Checksum(out.bytes()));
  out.Put(payload);
  return out.Take();
}

Result<Header> DecodeHeader(std::span<const std::byte, kHeaderBytes> bytes) {
  ByteReader in(bytes);
  if (in.Get<uint32_t>() != kMagic) return Malformed("frame");
  if (const auto version = in.Get<uint16_t>(); version != kVersion) {
    return BadInput("a frame of version " + std::to_string(version) +
                    "; this is version " + std::to_string(kVersion));
  }
  Header header;
  header.type = static_cast<FrameType>(in.Get<uint16_t>());
  in.GetAll(header.sequence, header.page, header.length, header.tail,
            header.payload_checksum);
  const auto sum = in.Get<uint32_t>();
  if (sum != Checksum(bytes.first<kHeaderBytes - sizeof(sum)>())) {
    return BadInput("a frame's checksum is wrong");
  }
  if (header.length > kMaxPayloadBytes || header.tail > kMaxTailBytes) {
    return BadInput("a frame of " + std::to_string(header.length) + " and " +
                    std::to_string(header.tail) + " bytes is too large");
  }
  return header;
}

Result<void> CheckPayload(const Header& header, View payload) {
  if (payload.size() == header.length &&
      Checksum(payload) == header.payload_checksum) {
    return {};
  }
  return BadInput("a payload's checksum is wrong");
}

// welcome = worker:u32 engine:text band_bytes:u32
Bytes Encode(const Welcome& welcome) {
  ByteWriter out;
  out.PutAll(welcome.worker,
             Printable(welcome.engine, Welcome::kMaxEngineBytes),
             welcome.band_bytes);
  return out.Take();
}

Result<Welcome> DecodeWelcome(View payload) {
  ByteReader in(payload);
  Welcome welcome;
  in.GetAll(welcome.worker, welcome.engine, welcome.band_bytes);
  if (!in.ended() || !IsClean(welcome.engine, Welcome::kMaxEngineBytes)) {
    return Malformed("welcome");
  }
  return welcome;
}

// ring = gray_bytes:u64 bits_bytes:u64
Bytes Encode(const Ring& ring) {
  ByteWriter out;
  out.PutAll(ring.gray_bytes, ring.bits_bytes);
  return out.Take();
}

Result<Ring> DecodeRing(View payload) {
  ByteReader in(payload);
  Ring ring;
  in.GetAll(ring.gray_bytes, ring.bits_bytes);
  if (!in.ended()) return Malformed("ring");
  for (const uint64_t bytes : {ring.gray_bytes, ring.bits_bytes}) {
    if (bytes < 1 || bytes > kMaxRingBytes) {
      return BadInput("a shared-memory buffer of " + std::to_string(bytes) +
                      " bytes is not in 1 … " + std::to_string(kMaxRingBytes));
    }
  }
  return ring;
}

// open = width:i32 bits_per_sample:i32 first_row:i64 rows_per_band:i32
//        has_carry:u8 recipe [ carry ]
// recipe = algorithm:u16 version:u16 levels:i32 { parameter:i32 } { step:u16 }
Bytes Encode(const Open& open) {
  ByteWriter out;
  out.PutAll(open.page.width(), static_cast<int32_t>(open.page.depth()),
             open.page.first_row(), open.rows_per_band,
             static_cast<uint8_t>(open.carry ? 1 : 0));
  PutRecipe(open.recipe, out);
  if (open.carry) out.Put(View(open.carry->Save()));
  return out.Take();
}

Result<Open> DecodeOpen(View payload) {
  ByteReader in(payload);
  const auto width = in.Get<int32_t>();
  const auto bits_per_sample = in.Get<int32_t>();
  const auto first_row = in.Get<int64_t>();
  const auto rows_per_band = in.Get<int32_t>();
  const auto has_carry = in.Get<uint8_t>();
  if (!in.ok() || has_carry > 1) return Malformed("open");
  HALFTONED_TRY_ASSIGN(const Page page,
                       Page::Make(width, bits_per_sample, first_row));
  if (rows_per_band < 1 || rows_per_band > Page::kMaxRowsPerBand) {
    return BadInput(std::to_string(rows_per_band) +
                    " rows per band are not in 1 … " +
                    std::to_string(Page::kMaxRowsPerBand));
  }
  HALFTONED_TRY_ASSIGN(Recipe recipe, GetRecipe(in));
  Open open{page, std::move(recipe), std::nullopt, rows_per_band};
  if (has_carry == 1) {
    HALFTONED_TRY_ASSIGN(open.carry, Carry::Load(in.rest(), open.recipe, page));
  } else if (!in.ended()) {
    return Malformed("open");
  }
  return open;
}

// band = rows:i32 last:u8 gray_offset:u64 bits_offset:u64 gray_checksum:u32
Bytes Encode(const Band& band) {
  ByteWriter out;
  out.PutAll(band.rows, static_cast<uint8_t>(band.last ? 1 : 0),
             band.gray_offset, band.bits_offset, band.gray_checksum);
  return out.Take();
}

Result<Band> DecodeBand(View payload) {
  ByteReader in(payload);
  Band band;
  uint8_t last = 0;
  in.GetAll(band.rows, last, band.gray_offset, band.bits_offset,
            band.gray_checksum);
  band.last = last == 1;
  if (!in.ended() || last > 1 || band.rows < 0 ||
      (band.rows == 0 && !band.last)) {
    return Malformed("band");
  }
  return band;
}

// answer = first_row:i64 rows:i32 bits_checksum:u32 has_carry:u8 [ carry ]
Bytes Encode(const Answer& answer, const Carry* carry) {
  ByteWriter out;
  out.PutAll(answer.first_row, answer.rows, answer.bits_checksum,
             static_cast<uint8_t>(carry ? 1 : 0));
  if (carry) out.Put(View(carry->Save()));
  return out.Take();
}

namespace {

struct AnswerHead {
  Answer answer;
  uint8_t has_carry = 0;
};

AnswerHead GetAnswer(ByteReader& in) {
  AnswerHead head;
  in.GetAll(head.answer.first_row, head.answer.rows, head.answer.bits_checksum,
            head.has_carry);
  return head;
}

}  // namespace

Result<Answer> DecodeAnswer(View payload) {
  ByteReader in(payload);
  const auto [answer, has_carry] = GetAnswer(in);
  if (!in.ok() || answer.rows < 0 || answer.first_row < 0 || has_carry > 1 ||
      (has_carry == 0 && !in.ended())) {
    return Malformed("answer");
  }
  return answer;
}

Result<std::optional<Carry>> DecodeCarry(View payload, const Recipe& recipe,
                                         const Page& below) {
  ByteReader in(payload);
  if (GetAnswer(in).has_carry == 0) return std::optional<Carry>();
  HALFTONED_TRY_ASSIGN(Carry carry, Carry::Load(in.rest(), recipe, below));
  return std::optional(std::move(carry));
}

// failed = code:u32 message:text
Bytes Encode(const Failed& failed) {
  ByteWriter out;
  out.Put(static_cast<uint32_t>(failed.code));
  out.PutText(Printable(failed.message, kMaxMessageBytes));
  return out.Take();
}

Result<Failed> DecodeFailed(View payload) {
  ByteReader in(payload);
  Failed failed;
  const auto code = in.Get<uint32_t>();
  failed.code = static_cast<FailureCode>(code);
  failed.message = in.GetText();
  if (!in.ended() || code < 1 || code > 2 ||
      !IsClean(failed.message, kMaxMessageBytes)) {
    return Malformed("failure");
  }
  return failed;
}

}  // namespace halftoned::wire
