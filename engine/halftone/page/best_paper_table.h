// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The print model of the second pass of `best`: the light of a window of 2 × 2
// pixels, the target light of each tone, and the kernels of its sweeps. The
// kernels reach one pixel less far than those of best_table.h, because a swap
// changes windows beyond its block. The light is a fit to prints of the lasers
// for tuning in bench/paper, at 600 dpi. The target is the mean light that this
// fit gives to flat pages of `fine` with print feedback, smoothed over the
// tones. The target of dark tones, up to 54, is the light of lone dots.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "halftone/page/best_table.h"
#include "halftone/page/print_feedback.h"
#include "halftone/page/recipe.h"

namespace halftoned {

inline constexpr int kPaperReach = 7;     // rows and columns each way
inline constexpr int kPaperWhite = 1020;  // the light of a white window

// A window whose tones differ by more than this is an edge. The light of an
// edge is that of its bits.
inline constexpr int kPaperEdge = 64;

// Sums are divided by 2 to this power before they are multiplied.
inline constexpr int kPaperShift = 8;

// The light of windows by their bits, at full strength.
struct PaperLight {
  int16_t one = 39;
  int16_t diagonal = 173;
  int16_t edge = 286;
  int16_t three = 673;
};
inline constexpr PaperLight kPaperLight;

// Four times the target light of each tone, at full strength.
inline constexpr std::array<int16_t, 256> kPaperAim = {
    // clang-format off
    0, 1, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7,
    7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14,
    15, 15, 16, 17, 17, 18, 18, 19, 20, 20, 21, 21,
    22, 23, 23, 24, 24, 25, 26, 26, 27, 28, 28, 29,
    29, 30, 31, 31, 32, 32, 33, 34, 35, 35, 37, 38,
    39, 41, 42, 45, 47, 49, 52, 54, 57, 60, 63, 67,
    70, 73, 76, 79, 81, 83, 85, 87, 90, 92, 94, 96,
    99, 101, 103, 106, 109, 111, 114, 117, 120, 123, 126, 129,
    132, 136, 139, 143, 147, 150, 154, 158, 162, 166, 171, 175,
    179, 184, 189, 193, 198, 203, 208, 213, 218, 224, 229, 234,
    239, 245, 250, 255, 260, 266, 271, 276, 281, 286, 292, 297,
    302, 307, 312, 317, 322, 327, 332, 338, 343, 348, 353, 358,
    364, 369, 374, 380, 385, 391, 397, 402, 408, 414, 420, 426,
    432, 438, 444, 450, 456, 462, 468, 475, 481, 487, 494, 500,
    507, 513, 520, 526, 533, 540, 546, 553, 560, 566, 573, 580,
    586, 593, 599, 606, 612, 619, 625, 631, 637, 644, 650, 656,
    662, 668, 675, 681, 687, 693, 699, 705, 711, 717, 723, 729,
    735, 741, 747, 753, 759, 765, 771, 777, 782, 788, 794, 800,
    805, 811, 817, 823, 828, 834, 839, 845, 851, 856, 862, 867,
    873, 878, 884, 889, 895, 900, 906, 911, 917, 922, 928, 933,
    938, 944, 949, 955, 960, 966, 971, 977, 982, 987, 993, 998,
    1004, 1009, 1015, 1020,
    // clang-format on
};

// By rows and columns, 0 … kPaperReach of each.
using PaperKernel =
    std::array<std::array<int16_t, kPaperReach + 1>, kPaperReach + 1>;
inline constexpr std::array<PaperKernel, kBestSweeps> kPaperKernels = {{
    // clang-format off
    {{
        {1024, 888, 586, 304, 126, 39, 4, -6},
        {888, 771, 513, 268, 111, 33, 3, -6},
        {586, 513, 346, 184, 76, 21, -1, -5},
        {304, 268, 184, 98, 39, 8, -4, -3},
        {126, 111, 76, 39, 12, -2, -5, -2},
        {39, 33, 21, 8, -2, -6, -2, 0},
        {4, 3, -1, -4, -5, -2, -1, 0},
        {-6, -6, -5, -3, -2, 0, 0, 0},
    }},
    {{
        {1024, 915, 663, 406, 217, 102, 42, 14},
        {915, 819, 599, 370, 199, 94, 38, 12},
        {663, 599, 446, 282, 155, 74, 30, 8},
        {406, 370, 282, 183, 102, 49, 20, 3},
        {217, 199, 155, 102, 58, 28, 9, 1},
        {102, 94, 74, 49, 28, 12, 2, 0},
        {42, 38, 30, 20, 9, 2, 0, 0},
        {14, 12, 8, 3, 1, 0, 0, 0},
    }},
    // clang-format on
}};

// The kernel at a distance of this many rows and columns, which can be negative
// or beyond its reach.
constexpr int PaperKernelAt(const PaperKernel& kernel, int rows, int columns) {
  const int i = rows < 0 ? -rows : rows;
  const int j = columns < 0 ? -columns : columns;
  if (i > kPaperReach || j > kPaperReach) return 0;
  return kernel[static_cast<size_t>(i)][static_cast<size_t>(j)];
}

// The same at a strength of 0 … kFullFeedback.
struct PaperTable {
  // By left + 2 · above + 4 · across + 8 · own bit. At edges: 255 for each
  // white pixel.
  std::array<int16_t, 16> light;
  std::array<int16_t, 256> aim;

  static constexpr PaperTable Of(int strength) {
    const auto between = [&](int of_bits, int of_print) {
      return static_cast<int16_t>(
          of_bits +
          (((of_print - of_bits) * strength + kFullFeedback / 2) >> 8));
    };
    PaperTable table{};
    for (unsigned bits = 0; bits < table.light.size(); ++bits) {
      table.light[bits] = between(LightOfBits(bits), LightOfPrint(bits));
    }
    for (size_t tone = 0; tone < table.aim.size(); ++tone) {
      table.aim[tone] = between(4 * static_cast<int>(tone), kPaperAim[tone]);
    }
    return table;
  }

  // The table of `best` with print feedback; none without.
  static std::optional<PaperTable> For(const Recipe& recipe) {
    if (!recipe.looks_ahead() || !recipe.has_feedback()) return std::nullopt;
    return Of(recipe.parameter(Recipe::kFeedback));
  }

  static constexpr int LightOfBits(unsigned bits) {
    return kPaperWhite / 4 *
           static_cast<int>((bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) +
                            (bits >> 3));
  }

 private:
  static constexpr int LightOfPrint(unsigned bits) {
    const int white = LightOfBits(bits) / (kPaperWhite / 4);
    const bool is_diagonal = (bits >> 2 & 1) == bits >> 3;
    if (white == 1) return kPaperLight.one;
    if (white == 2)
      return is_diagonal ? kPaperLight.diagonal : kPaperLight.edge;
    return white == 3 ? kPaperLight.three : LightOfBits(bits);
  }
};

}  // namespace halftoned
