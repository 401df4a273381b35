// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fine` and `best` with any table for their first pass, and how good the bits
// are: what is seen of their error, and the ink of thin lines.

#ifndef HALFTONED_BENCH_TONE_TABLE_TRIAL_H_
#define HALFTONED_BENCH_TONE_TABLE_TRIAL_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/page/fine_table.h"

namespace halftoned::bench {

struct GrayPage {
  GrayPage(int32_t page_width, int32_t page_rows, int tone)
      : width(page_width),
        rows(page_rows),
        tones(static_cast<size_t>(page_width * page_rows),
              static_cast<std::byte>(tone)) {}

  std::byte& At(int32_t row, int32_t column) {
    return tones[static_cast<size_t>(row * width + column)];
  }

  int32_t width;
  int32_t rows;
  std::vector<std::byte> tones;
};

// 1 where a pixel is white.
using Whites = std::vector<uint8_t>;

Whites FineBy(const ToneTable& table, const GrayPage& gray, bool is_pure);
Whites BestBy(const ToneTable& table, const GrayPage& gray);

// Decibels, as quality.py has them, of a page of 256 × 256 pixels.
struct Seen {
  double gauss;
  double eye;
};
Seen SeenOf(const GrayPage& gray, const Whites& whites);

// The ink of a gray line on white, one pixel wide, relative to what it should
// have.
double InkOfLine(const ToneTable& table, int tone, bool is_lying);
// The ink (the light, in dark ones) of the first 512 rows of a flat tone.
double InkOfTone(const ToneTable& table, int tone);

}  // namespace halftoned::bench

#endif  // HALFTONED_BENCH_TONE_TABLE_TRIAL_H_
