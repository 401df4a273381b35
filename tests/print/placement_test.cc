// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/placement.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace halftoned {
namespace {

int SampleAt(const std::vector<std::byte>& row, int64_t column, int bits) {
  const int64_t at = column * bits;
  const int shift = static_cast<int>(8 - bits - at % 8);
  return std::to_integer<int>(row[static_cast<size_t>(at / 8)] >> shift) &
         ((1 << bits) - 1);
}

// Sample by sample: slow, but obviously right.
void ExpectPlaced(const Placement& placement,
                  const std::vector<std::byte>& light,
                  const std::vector<std::byte>& ink) {
  const int bits = placement.bits_per_sample;
  const int top = (1 << bits) - 1;
  const auto samples_out = static_cast<int64_t>(ink.size()) * 8 / bits;
  for (int64_t j = 0; j < samples_out; ++j) {
    const int64_t from = j - placement.left;
    const bool is_inked =
        from >= 0 && from < placement.width_in && j < placement.width_out;
    const int expected = is_inked ? top - SampleAt(light, from, bits) : 0;
    ASSERT_EQ(SampleAt(ink, j, bits), expected)
        << "column " << j << ", " << bits << " bits, " << placement.width_in
        << " columns into " << placement.width_out << " at " << placement.left;
  }
}

TEST(Placement, MovesPadsAndCutsEveryColumn) {
  std::mt19937 random(20);
  for (int bits : {1, 2, 4}) {
    for (int width_in : {1, 7, 8, 9, 31, 64, 65, 200}) {
      for (int width_out : {1, 8, 13, 64, 66, 90, 207}) {
        for (int left : {-70, -9, -8, -1, 0, 1, 3, 8, 15, 70}) {
          const Placement placement{bits, width_in, 1, width_out, 1, left, 0};
          std::vector<std::byte> light(placement.bytes_per_row_in());
          // Bits after the last column must not show either.
          for (std::byte& b : light) b = static_cast<std::byte>(random());
          std::vector<std::byte> ink(placement.bytes_per_row_out(),
                                     std::byte{0xaa});
          PlaceRow(placement, light.data(), ink.data());
          ExpectPlaced(placement, light, ink);
        }
      }
    }
  }
}

}  // namespace
}  // namespace halftoned
