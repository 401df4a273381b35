// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of ink that are sent together, in languages with graphics of limited
// size.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halftoned {

class InkBlock {
 public:
  static bool IsWhite(std::span<const uint8_t> ink) {
    return std::ranges::all_of(ink, [](uint8_t byte) { return byte == 0; });
  }

  static constexpr size_t kMostGraphicBytes = size_t{1} << 15;

  // bytes_per_row: > 0.
  void Begin(size_t bytes_per_row) {
    bytes_per_row_ = bytes_per_row;
    Clear();
  }
  void Add(std::span<const uint8_t> ink) {
    bytes_.insert(bytes_.end(), ink.begin(), ink.end());
  }
  void Clear() { bytes_.clear(); }

  size_t bytes() const { return bytes_.size(); }
  // False if the block would then be too large for a graphic.
  bool HasRoomFor(std::span<const uint8_t> ink) const {
    return bytes_.size() + ink.size() <= kMostGraphicBytes;
  }
  size_t rows() const { return bytes_.size() / bytes_per_row_; }
  std::span<const uint8_t> Row(size_t row) const {
    return std::span(bytes_).subspan(row * bytes_per_row_, bytes_per_row_);
  }

  // The bytes of a row from the first to the last that any row has ink in;
  // [0, 0) if none has.
  std::pair<size_t, size_t> Columns() const {
    size_t begin = bytes_per_row_;
    size_t end = 0;
    for (size_t row = 0; row < rows(); ++row) {
      const auto ink = Row(row);
      size_t last = ink.size();
      while (last > end && ink[last - 1] == 0) --last;
      end = last;
      size_t first = 0;
      while (first < begin && ink[first] == 0) ++first;
      begin = first;
    }
    return {std::min(begin, end), end};
  }

  // Appends a graphic as EPL and TSPL have it: its place and size, `options`,
  // and its dots, where 1 is white. The block ends above `end_row`.
  void PutGraphic(size_t end_row, std::string_view options,
                  std::string& out) const {
    const auto [begin, end] = Columns();
    for (const size_t number : {8 * begin, end_row - rows(), end - begin}) {
      out += std::to_string(number) + ",";
    }
    out += std::to_string(rows());
    out += options;
    out += ',';
    for (size_t row = 0; row < rows(); ++row) {
      for (const uint8_t ink : Row(row).subspan(begin, end - begin)) {
        out += static_cast<char>(~ink);
      }
    }
  }

 private:
  size_t bytes_per_row_ = 1;
  std::vector<uint8_t> bytes_;
};

}  // namespace halftoned
