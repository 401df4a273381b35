// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/bench_page.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace halftoned::bench {
namespace {

// Fast and good enough: noise pages are large.
class Noise {
 public:
  uint32_t operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 33);
  }

 private:
  uint64_t state_ = 20240229;
};

// A tone 0 … 1 of a smooth scene with some grain.
double PhotoAt(double x, double y, Noise& noise) {
  const double scene = 0.5 + 0.2 * std::sin(x * 7 + 3 * std::sin(y * 5)) +
                       0.2 * std::cos(y * 11 - 2 * std::cos(x * 3));
  return scene + (noise() % 1024 / 1024.0 - 0.5) * 0.04;
}

// Black strokes on white, with an edge of gray, about as dense as print.
double TextAt(int32_t column, int32_t row) {
  const int line = row / 100;
  const int in_line = row % 100;
  const int letter = column / 45;
  const int in_letter = column % 45;
  if (in_line > 60 || (letter * 7 + line * 3) % 6 == 0) return 1;
  const bool upright = in_letter >= 8 && in_letter < 15;
  const bool across = in_line / 8 % 3 == (letter + line) % 3 && in_letter < 33;
  if (upright || across) return 0.02;
  return in_letter == 15 || in_letter == 7 ? 0.5 : 1;
}

double ToneAt(Content content, int32_t column, int32_t row, int32_t width,
              int32_t rows, Noise& noise) {
  switch (content) {
    case Content::kNoise:
      return noise() % 65536 / 65535.0;
    case Content::kPhoto:
      return PhotoAt(column / static_cast<double>(width),
                     row / static_cast<double>(rows), noise);
    case Content::kRamp:
      return column / static_cast<double>(width);
    case Content::kText:
      return TextAt(column, row);
  }
  return 0;
}

}  // namespace

std::string_view NameOf(Content content) {
  switch (content) {
    case Content::kNoise:
      return "noise";
    case Content::kPhoto:
      return "photo";
    case Content::kRamp:
      return "ramp";
    case Content::kText:
      return "text";
  }
  return "";
}

std::vector<std::byte> MakeSamples(const Page& page, int32_t rows,
                                   Content content) {
  const int32_t width = page.width();
  std::vector<std::byte> samples(page.gray_bytes_per_row() *
                                 static_cast<size_t>(rows));
  Noise noise;
  std::byte* next = samples.data();
  for (int32_t row = 0; row < rows; ++row) {
    for (int32_t column = 0; column < width; ++column) {
      const double tone = std::clamp(
          ToneAt(content, column, row, width, rows, noise), 0.0, 1.0);
      if (page.depth() == Depth::k8) {
        *next++ = static_cast<std::byte>(std::lround(tone * 255));
      } else {
        const auto a = static_cast<uint16_t>(std::lround(tone * 65535));
        std::memcpy(next, &a, sizeof(a));
        next += sizeof(a);
      }
    }
  }
  return samples;
}

}  // namespace halftoned::bench
