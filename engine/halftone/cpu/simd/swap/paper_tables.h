// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lookup tables of the second pass of `best` with print feedback.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "halftone/page/best_paper_table.h"

namespace halftoned::simd {

// A window: its bits as in PaperTable, and this.
inline constexpr unsigned kEdgeWindow = 16;
inline constexpr size_t kWindowKinds = 32;

// The light of windows, and how it changes with their bits.
class WindowLights {
 public:
  explicit WindowLights(const PaperTable& table) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      light_[bits] = table.light[bits];
      light_[kEdgeWindow + bits] =
          static_cast<int16_t>(PaperTable::LightOfBits(bits));
    }
    for (unsigned bits = 0; bits < 16; ++bits) {
      for (unsigned window = 0; window < kWindowKinds; ++window) {
        change_[bits][window] =
            static_cast<int16_t>(light_[window ^ bits] - light_[window]);
        int each = 0;
        for (unsigned bit = 1; bit <= 8; bit <<= 1) {
          if ((bits & bit) != 0) each += change_[bit][window];
        }
        together_[bits][window] =
            static_cast<int16_t>(change_[bits][window] - each);
      }
    }
  }
  int Light(unsigned window) const { return light_[window]; }
  // The change of light if these bits of a window are inverted.
  int Change(unsigned window, unsigned bits) const {
    return change_[bits][window];
  }
  // How far that exceeds the sum of the changes by each bit alone.
  int Together(unsigned window, unsigned bits) const {
    return together_[bits][window];
  }

 private:
  using Numbers = std::array<int16_t, kWindowKinds>;

  Numbers light_{};
  std::array<Numbers, 16> change_{};
  std::array<Numbers, 16> together_{};
};

// Terms of columns at a distance of 0 and 1, 2 and 3 …
inline constexpr int kPaperPairs = (kPaperReach + 1) / 2;

// Their weights, the first in the lower half.
struct PaperWeights {
  int32_t of[kPaperReach + 1][kPaperPairs];
};
template <int sweep>
inline constexpr PaperWeights kPaperWeights = [] {
  PaperWeights weights{};
  for (int i = 0; i <= kPaperReach; ++i) {
    for (int k = 0; k < kPaperPairs; ++k) {
      weights.of[i][k] =
          (PaperKernelAt(kPaperKernels[sweep], i, 2 * k) & 0xffff) +
          PaperKernelAt(kPaperKernels[sweep], i, 2 * k + 1) * 65536;
    }
  }
  return weights;
}();

// The kernel by rows and columns from -8 on.
struct PaperKernelTable {
  static constexpr int kMiddle = 8;
  int32_t of[2 * kMiddle + 1][2 * kMiddle];

  const int32_t* Row(int rows) const { return of[rows + kMiddle]; }
};
template <int sweep>
inline constexpr PaperKernelTable kPaperKernelTable = [] {
  PaperKernelTable table{};
  for (int i = 0; i <= 2 * PaperKernelTable::kMiddle; ++i) {
    for (int j = 0; j < 2 * PaperKernelTable::kMiddle; ++j) {
      table.of[i][j] =
          PaperKernelAt(kPaperKernels[sweep], i - PaperKernelTable::kMiddle,
                        j - PaperKernelTable::kMiddle);
    }
  }
  return table;
}();

}  // namespace halftoned::simd
