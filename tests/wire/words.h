// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of every message of the wire, with numbers whose bytes all differ.

#pragma once

#include <string>

#include "wire/bytes.h"
#include "wire/checksum.h"
#include "wire/codec.h"

namespace halftoned::wire {

inline std::string Hex(View bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const std::byte byte : bytes) {
    hex += kDigits[std::to_integer<unsigned>(byte) >> 4];
    hex += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return hex;
}

inline const Hello kHello = {kVersion, 0x01020304, 5,         6,
                             "Büro",   "Seite 1",  0x0708090a};
inline const Welcome kWelcome = {0x01020304, "avx2", 0x05060708};
inline const Ring kRing = {0x0a0b0c0d, 0x60708};
inline const Band kBand = {0x01020304, true, 0x05060708090a0b0c,
                           0x0d0e0f1011121314, 0x15161718};
inline const Failed kFailed = {FailureCode::kUnavailable, "out of toner"};

inline Recipe FallingRecipe() {
  ToneCurve::Table table;
  for (int i = 0; i <= kWhite; ++i) {
    table[static_cast<size_t>(i)] = static_cast<uint16_t>(kWhite - i);
  }
  Recipe::Parts parts;
  parts.levels = 4;
  parts.curve = *ToneCurve::FromTable(table);
  return *Recipe::Make(parts);
}

inline Open SampleOpen() {
  Open open{*Page::Make(3, 16, 0x01020304), FallingRecipe(), std::nullopt, 5};
  open.carry = Carry::AtStart(open.recipe, open.page);
  open.carry->plane(0)[0] = -679;
  open.carry->plane(0)[2] = 680;
  return open;
}

// Offsets of the parts of an open.
inline constexpr size_t kRecipeAt = 21;
inline constexpr size_t kCurveAt = kRecipeAt + 40;
inline constexpr size_t kCarryAt = kCurveAt + 2 * (kWhite + 1);

inline const Answer kAnswer = {0x01020302, 2, 0x15161718};

// The header of a band that announces this much, with a correct checksum.
inline Bytes HeaderThatAnnounces(uint32_t length, uint32_t tail) {
  ByteWriter out;
  out.Put(kMagic);
  out.Put(kVersion);
  out.Put(static_cast<uint16_t>(FrameType::kBand));
  out.Put(uint32_t{0});
  out.Put(uint32_t{1});
  out.Put(length);
  out.Put(tail);
  out.Put(uint32_t{0});
  out.Put(Checksum(out.bytes()));
  return out.Take();
}

}  // namespace halftoned::wire
