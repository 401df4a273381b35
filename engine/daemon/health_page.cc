// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/health_page.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "halftone/scalar.h"

namespace halftoned::daemon {
namespace {

constexpr int32_t kColumns = 256;
constexpr int32_t kRows = 96;

// All tones: the upper half is a ramp, the lower one noise.
std::vector<std::byte> MakeGray() {
  std::vector<std::byte> gray;
  uint32_t noise = 1;
  for (int32_t row = 0; row < kRows; ++row) {
    for (int32_t column = 0; column < kColumns; ++column) {
      noise = noise * 1664525u + 1013904223u;
      gray.push_back(row < kRows / 2 ? std::byte(column)
                                     : std::byte(noise >> 24));
    }
  }
  return gray;
}

std::vector<std::byte> MakeBits(const std::vector<std::byte>& gray,
                                const PageOrder& order, size_t bytes_per_row) {
  std::vector<std::byte> bits(bytes_per_row * kRows);
  Carry carry = Carry::AtStart(order.recipe, order.page);
  HalftoneByDefinition({order.page, order.recipe,
                        GrayBand{gray.data(), kColumns, kRows},
                        BitRoom{bits.data(), bytes_per_row, kRows}, carry});
  return bits;
}

}  // namespace

PageOrder HealthOrder() {
  return {*Page::Make(kColumns, 8), Recipe::FloydSteinberg(), std::nullopt,
          kRows};
}

Result<void> CheckBits(Session& session) {
  const PageOrder order = HealthOrder();
  const size_t bytes_per_row = order.recipe.bit_bytes_per_row(kColumns);
  const std::vector<std::byte> gray = MakeGray();
  const std::vector<std::byte> bits = MakeBits(gray, order, bytes_per_row);
  HALFTONED_TRY_ASSIGN(const GrayRoom room, session.Lend());
  for (int32_t row = 0; row < kRows; ++row) {
    std::memcpy(room.row(row), gray.data() + row * kColumns, kColumns);
  }
  HALFTONED_TRY(session.Submit(kRows, true));
  HALFTONED_TRY_ASSIGN(const Finished finished, session.Take());
  if (finished.bits.rows != kRows) return Bug("rows are missing");
  for (int32_t row = 0; row < kRows; ++row) {
    const std::byte* right = bits.data() + row * bytes_per_row;
    if (std::memcmp(finished.bits.row(row), right, bytes_per_row) != 0) {
      return Bug("row " + std::to_string(row) + " is wrong");
    }
  }
  return {};
}

}  // namespace halftoned::daemon
