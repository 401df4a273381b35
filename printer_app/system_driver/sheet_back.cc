// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/sheet_back.h"

#include <algorithm>

namespace halftoned {
namespace {

uint8_t Mirrored(uint8_t byte) {
  unsigned bits = byte;
  bits = (bits & 0xf0) >> 4 | (bits & 0x0f) << 4;
  bits = (bits & 0xcc) >> 2 | (bits & 0x33) << 2;
  bits = (bits & 0xaa) >> 1 | (bits & 0x55) << 1;
  return static_cast<uint8_t>(bits);
}

}  // namespace

std::optional<SheetBack> SheetBackOf(std::string_view word) {
  if (word.empty() || word == "Normal") return SheetBack::kNormal;
  if (word == "Flipped") return SheetBack::kFlipped;
  if (word == "Rotated") return SheetBack::kRotated;
  if (word == "ManualTumble") return SheetBack::kManualTumble;
  return std::nullopt;
}

BackTurn TurnOf(SheetBack back, bool is_tumbled) {
  switch (back) {
    case SheetBack::kFlipped:
      return {.mirrors_rows = is_tumbled, .ends_first = !is_tumbled};
    case SheetBack::kRotated:
      return {.mirrors_rows = !is_tumbled, .ends_first = !is_tumbled};
    case SheetBack::kManualTumble:
      return {.mirrors_rows = is_tumbled, .ends_first = is_tumbled};
    default:
      return {};
  }
}

void MirrorBits(std::span<uint8_t> row, size_t width) {
  std::ranges::reverse(row);
  for (uint8_t& byte : row) byte = Mirrored(byte);
  const size_t beyond = 8 * row.size() - width;
  if (beyond == 0) return;
  for (size_t i = 0; i < row.size(); ++i) {
    const unsigned next = i + 1 < row.size() ? row[i + 1] : 0U;
    row[i] = static_cast<uint8_t>(row[i] << beyond | next >> (8 - beyond));
  }
}

}  // namespace halftoned
