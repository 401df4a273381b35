// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of the cells of a row, and their windows (code_cells.h).

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace halftoned {

constexpr size_t kBeside = 4;  // cells of a window, on either side

// Bytes of cells, which have a word before the first and after the last.
inline uint8_t* BytesOf(std::vector<uint64_t>& cells) {
  return reinterpret_cast<uint8_t*>(cells.data() + 1);
}
inline const uint8_t* BytesOf(const std::vector<uint64_t>& cells) {
  return reinterpret_cast<const uint8_t*>(cells.data() + 1);
}

inline const uint8_t* NumbersOf(const std::vector<uint64_t>& cells) {
  return BytesOf(cells);
}
inline const uint16_t* NumbersOf(const std::vector<uint16_t>& cells) {
  return cells.data();
}

// Joins each number of `cells`, of which the first kBeside lie beside the page,
// with the eight that follow it, so that it becomes the join of a window's
// numbers.
template <typename Number, typename Join>
void JoinWindows(std::vector<Number>& cells, const Join& join) {
  Number* const all = cells.data();
  const size_t count = cells.size() - 2 * kBeside;
  const auto with_next = [&](size_t reach, size_t so_many) {
    for (size_t i = 0; i < so_many; ++i) all[i] = join(all[i], all[i + reach]);
  };
  // The ninth number is read before it is joined itself.
  std::vector<Number> ninth(cells.begin() + 2 * kBeside, cells.end());
  with_next(1, count + 6);
  with_next(2, count + 4);
  with_next(4, count);
  for (size_t i = 0; i < count; ++i) all[i] = join(all[i], ninth[i]);
}

inline void JoinLeast(std::vector<uint16_t>& cells) {
  JoinWindows(cells, [](uint16_t a, uint16_t b) { return std::min(a, b); });
}
inline void JoinMost(std::vector<uint16_t>& cells) {
  JoinWindows(cells, [](uint16_t a, uint16_t b) { return std::max(a, b); });
}

}  // namespace halftoned
