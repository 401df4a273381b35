// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/edges/gray_strokes.h"

#include <bit>
#include <cstring>

namespace halftoned {
namespace {

constexpr int kDarkest = 1300;  // up to here a third of the value is left
constexpr int kEnd = GrayStrokes::kLightValue;

constexpr int DarkerValue(int v) {
  if (v <= kDarkest) return (v + 2) / 3;
  constexpr int kLeast = (kDarkest + 2) / 3;
  return kLeast + (v - kDarkest) * (kEnd - kLeast) / (kEnd - kDarkest);
}

// A word of bits, each moved to the place of the pixel `by` columns to its
// right, or to its left.
uint64_t FromLeft(const uint64_t* bits, size_t by) {
  return bits[0] << by | bits[-1] >> (64 - by);
}
uint64_t FromRight(const uint64_t* bits, size_t by) {
  return bits[0] >> by | bits[1] << (64 - by);
}
uint64_t FromBoth(const uint64_t* bits, size_t by) {
  return FromLeft(bits, by) | FromRight(bits, by);
}

// The pixels of a word that lie just inside an outline.
uint64_t InsideOutline(const GrayStrokes::Rows& rows, size_t word) {
  constexpr auto kHere = static_cast<size_t>(GrayStrokes::kReach);
  const auto white = [&](size_t row) { return rows.pure[row].white + word; };
  const uint64_t white_two_away =
      *white(kHere - 2) | *white(kHere + 2) | FromBoth(white(kHere), 2) |
      FromBoth(white(kHere - 1), 1) | FromBoth(white(kHere + 1), 1);
  const uint64_t* const here = rows.light[1] + word;
  const uint64_t light_beside =
      rows.light[0][word] | rows.light[2][word] | FromBoth(here, 1);
  return white_two_away &
         ~(light_beside | *here | rows.pure[kHere].black[word]);
}

// The pixels that have white on two sides.
uint64_t InThinStrokes(const GrayStrokes::Rows& rows, size_t word) {
  constexpr auto kHere = static_cast<size_t>(GrayStrokes::kReach);
  uint64_t above = 0, below = 0, left = 0, right = 0;
  for (size_t by = 1; by <= kHere; ++by) {
    above |= rows.pure[kHere - by].white[word];
    below |= rows.pure[kHere + by].white[word];
    left |= FromLeft(rows.pure[kHere].white + word, by);
    right |= FromRight(rows.pure[kHere].white + word, by);
  }
  return (above & below) | (left & right);
}

}  // namespace

GrayStrokes::GrayStrokes(const Page& page, const ToneCurve& curve,
                         const simd::PureLimits& limits)
    : words_((static_cast<size_t>(page.width()) + 63) / 64),
      depth_(page.depth()),
      curve_(curve),
      flip_(limits.flip) {}

void GrayStrokes::Darken(const Rows& rows, const uint64_t* near_paper,
                         std::byte* row) {
  for (size_t word = 0; word < words_; ++word) {
    if (near_paper[word] == 0) continue;
    const uint64_t inside = InsideOutline(rows, word) & near_paper[word];
    if (inside == 0) continue;
    DarkenPixels(inside & InThinStrokes(rows, word),
                 row + 64 * word * BytesPerSample(depth_));
  }
}

// first: the sample of the lowest bit.
void GrayStrokes::DarkenPixels(uint64_t pixels, std::byte* first) {
  const size_t bytes = BytesPerSample(depth_);
  for (; pixels != 0; pixels &= pixels - 1) {
    std::byte* const at =
        first + bytes * static_cast<size_t>(std::countr_zero(pixels));
    uint16_t sample = 0;
    std::memcpy(&sample, at, bytes);
    sample = DarkerThan(sample);
    std::memcpy(at, &sample, bytes);
  }
}

// Light samples stay the same.
uint16_t GrayStrokes::DarkerThan(uint16_t sample) {
  const int value = depth_ == Depth::k8
                        ? curve_.At8(static_cast<uint8_t>(sample))
                        : curve_.At16(sample);
  if (value == 0 || value >= kEnd) return sample;
  if (darker_.empty()) FillDarker();
  return darker_[static_cast<size_t>(value)];
}

void GrayStrokes::FillDarker() {
  darker_.resize(kEnd);
  for (int v = 1; v < kEnd; ++v) {
    darker_[static_cast<size_t>(v)] = static_cast<uint16_t>(
        simd::FirstSampleOf(DarkerValue(v), depth_, curve_, flip_) ^ flip_);
  }
}

}  // namespace halftoned
