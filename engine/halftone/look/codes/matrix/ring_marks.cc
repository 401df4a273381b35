// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/matrix/ring_marks.h"

#include <algorithm>
#include <array>

namespace halftoned {
namespace {

// In loops over numbers of 16 bits, every compiler uses vectors.
using Number = int16_t;

// No module is wider than 14 pixels; four and a half modules have 63.
constexpr int32_t kMost = 127;
constexpr size_t kAfter = 5;  // distances that a mark needs beyond the first

Number Quarter(Number number) { return static_cast<Number>(number >> 2); }
Number Twice(Number number) { return static_cast<Number>(number + number); }
Number Twelve(Number number) { return static_cast<Number>(12 * number); }
Number Apart(Number one, Number other) {
  return static_cast<Number>(std::max(one, other) - std::min(one, other));
}

}  // namespace

void RingMarks::Mark(std::span<const int32_t> columns) {
  // Distances up to the most that matters.
  std::array<Number, kBlock + kAfter> pairs;
  const size_t count = std::min(columns.size() - 2, pairs.size());
  for (size_t i = 0; i < count; ++i) {
    pairs[i] =
        static_cast<Number>(std::min(columns[i + 2] - columns[i], kMost));
  }
  for (size_t i = count; i < pairs.size(); ++i) pairs[i] = kMost;
  for (size_t i = 0; i < kBlock; ++i) {
    const Number one = pairs[i], two = pairs[i + 1], three = pairs[i + 2],
                 four = pairs[i + 3], five = pairs[i + 4], six = pairs[i + 5];
    // Twelve modules.
    const auto of_four = static_cast<Number>(one + two + three + four);
    const auto of_six = static_cast<Number>(of_four + five + six);
    const Number narrow = Twice(of_four), wide = Twice(narrow);
    const Number off_ring = std::max(
        std::max(Apart(Twelve(one), narrow), Apart(Twelve(two), wide)),
        std::max(Apart(Twelve(three), wide), Apart(Twelve(four), narrow)));
    const Number least = std::min(std::min(std::min(one, two), three),
                                  std::min(std::min(four, five), six));
    const Number most = std::max(std::max(std::max(one, two), three),
                                 std::max(std::max(four, five), six));
    const Number off_center = std::max(Apart(Twelve(least), Twice(of_six)),
                                       Apart(Twelve(most), Twice(of_six)));
    const bool is_ring = off_ring <= static_cast<Number>(Quarter(of_four) + 18);
    const bool is_center =
        off_center <= static_cast<Number>(Quarter(of_six) + 18);
    marks_[i] =
        static_cast<Number>((is_ring ? kRing : 0) | (is_center ? kCenter : 0));
  }
}

}  // namespace halftoned
