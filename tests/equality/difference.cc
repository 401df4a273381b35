// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/equality/difference.h"

#include <atomic>
#include <cstdlib>
#include <fstream>

namespace halftoned::testing {
namespace {

int SampleAt(const BitPage& page, int32_t row, int64_t column, int bits) {
  const int64_t bit = column * bits;
  const auto byte = std::to_integer<int>(
      page.bytes[static_cast<size_t>(row) * page.bytes_per_row +
                 static_cast<size_t>(bit / 8)]);
  return byte >> (8 - bits - bit % 8) & ((1 << bits) - 1);
}

// Pixels and padding alike: as many samples as fit the bytes of a row.
struct Comparison {
  const BitPage& expected;
  const BitPage& actual;
  int bits;
  int32_t rows;
  int64_t columns;

  bool DiffersAt(int32_t row, int64_t column) const {
    return SampleAt(expected, row, column, bits) !=
           SampleAt(actual, row, column, bits);
  }
};

std::string DrawPicture(const Comparison& pages) {
  static std::atomic<int> count = 0;
  const char* folder = std::getenv("HALFTONED_PICTURES");  // NOLINT
  std::string path = std::string(folder ? folder : ".") + "/difference-" +
                     std::to_string(count++) + ".ppm";
  std::ofstream picture(path, std::ios::binary);
  picture << "P6 " << pages.columns << ' ' << pages.rows << " 255\n";
  for (int32_t i = 0; i < pages.rows; ++i) {
    for (int64_t j = 0; j < pages.columns; ++j) {
      const bool differs = pages.DiffersAt(i, j);
      const int sample = SampleAt(pages.expected, i, j, pages.bits);
      const int gray = 160 + 95 * sample / ((1 << pages.bits) - 1);
      picture << static_cast<char>(differs ? 255 : gray)
              << static_cast<char>(differs ? 0 : gray)
              << static_cast<char>(differs ? 0 : gray);
    }
  }
  return path;
}

}  // namespace

std::string DescribeDifference(const BitPage& expected, const BitPage& actual,
                               const Recipe& recipe, const Page& page) {
  if (expected.bytes.size() != actual.bytes.size()) {
    return "expected " + std::to_string(expected.bytes.size()) +
           " bytes, got " + std::to_string(actual.bytes.size());
  }
  if (expected.bytes == actual.bytes) return "";
  const int bits = recipe.levels().bits_per_sample;
  const Comparison pages{
      expected, actual, bits,
      static_cast<int32_t>(expected.bytes.size() / expected.bytes_per_row),
      static_cast<int64_t>(expected.bytes_per_row) * 8 / bits};
  int64_t count = 0;
  std::string first;
  for (int32_t i = 0; i < pages.rows; ++i) {
    for (int64_t j = 0; j < pages.columns; ++j) {
      if (!pages.DiffersAt(i, j)) continue;
      if (count++ > 0) continue;
      first = "row " + std::to_string(i) + ", column " + std::to_string(j);
      if (j >= page.width()) first += " (padding)";
    }
  }
  return std::to_string(count) + " samples differ, the first at " + first +
         "; picture in " + DrawPicture(pages);
}

}  // namespace halftoned::testing
