// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/flat_page.h"

#include <cstddef>

#include "halftone/cpu/scalar.h"

namespace halftoned::bench {

std::vector<bool> BlackPixels(const Recipe& recipe, uint8_t sample,
                              int32_t side) {
  const Page page = *Page::Make(side, 8);
  const size_t line = recipe.bit_bytes_per_row(side);
  const auto columns = static_cast<size_t>(side);
  const std::vector<std::byte> gray(columns * columns, std::byte{sample});
  std::vector<std::byte> bits(line * columns);
  Carry carry = Carry::AtStart(recipe, page);
  HalftoneByDefinition({.page = page,
                        .recipe = recipe,
                        .gray = {gray.data(), columns, side},
                        .bits = {bits.data(), line, side},
                        .carry = carry});
  std::vector<bool> black;
  black.reserve(gray.size());
  for (size_t i = 0; i < columns; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      const auto byte = static_cast<unsigned>(bits[i * line + j / 8]);
      black.push_back((byte >> (7 - j % 8) & 1) == 0);
    }
  }
  return black;
}

}  // namespace halftoned::bench
