// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search of the second pass of `best` with print feedback, in blocks whose
// windows and sums are known. Windows and sums have a row and a column more
// than the pixels.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SWAP_PAPER_SEARCH_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SWAP_PAPER_SEARCH_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SWAP_PAPER_SEARCH_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SWAP_PAPER_SEARCH_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>

#include "halftone/cpu/simd/swap/paper_tables.h"
#include "halftone/cpu/simd/vectors/lanes-inl.h"
#include "halftone/cpu/swap.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// Of 32 columns of a row of blocks.
struct PaperField {
  static constexpr int kRows = kBestBlock + 1;
  static constexpr int kMargin = 8;  // columns before the first
  static constexpr int kColumns = 64;

  uint8_t* Window(int i, int j) { return &windows[i][j + kMargin]; }
  int32_t Seen(int i, int j) const {
    return sums[i][j + kMargin] >> kPaperShift;
  }

  HWY_ALIGN_MAX int32_t sums[kRows][kColumns];
  HWY_ALIGN_MAX uint8_t windows[kRows][kColumns];
};

// The windows that a swap with the neighbour at a distance changes: up to 3
// rows of 3, of which the first begins at the upper and left one of both
// pixels.
template <int down, int right>
struct SwapShape {
  static constexpr int kTop = down < 0 ? down : 0;  // from the pixel
  static constexpr int kLeft = right < 0 ? right : 0;
  static constexpr int kPlaces = 9;

  // Which of a window's bits a pixel is, in the window that is so many rows and
  // columns further on.
  static constexpr unsigned BitOf(int rows, int columns) {
    if (rows < 0 || rows > 1 || columns < 0 || columns > 1) return 0;
    return rows == 0 ? (columns == 0 ? 8u : 1u) : (columns == 0 ? 2u : 4u);
  }
  // Of the pixel, and of its neighbour.
  static constexpr unsigned Own(int place) {
    return BitOf(place / 3 + kTop, place % 3 + kLeft);
  }
  static constexpr unsigned Other(int place) {
    return BitOf(place / 3 + kTop - down, place % 3 + kLeft - right);
  }
};

// A block, and the bits of its gray pixels.
template <int sweep>
class PaperSearch {
 public:
  PaperSearch(PaperField& field, const WindowLights& lights, int first_column,
              uint64_t gray, uint64_t bits)
      : field_(field),
        lights_(lights),
        first_(first_column),
        gray_(gray),
        bits_(bits) {}

  // The bits that the block gets.
  HWY_INLINE uint64_t Run() {
    FindLinear();
    for (int scan = 0; scan < kBestScans; ++scan) {
      bool has_swapped = false;
      for (uint64_t left = gray_; left != 0; left &= left - 1) {
        has_swapped |= Visit(std::countr_zero(left));
      }
      if (!has_swapped) break;
    }
    return bits_;
  }

 private:
  // What each pixel's own change counts together with what is seen.
  HWY_INLINE void FindLinear() {
    for (int i = 0; i < PaperField::kRows; ++i) {
      for (int j = 0; j < PaperField::kRows; ++j) {
        seen_[i][j] = field_.Seen(i, first_ + j);
      }
    }
    for (int i = 0; i < kBestBlock; ++i) {
      const uint8_t* const above = field_.Window(i, first_);
      const uint8_t* const below = field_.Window(i + 1, first_);
      for (int j = 0; j < kBestBlock; ++j) {
        linear_[i][j] = lights_.Change(above[j], 8) * seen_[i][j] +
                        lights_.Change(above[j + 1], 1) * seen_[i][j + 1] +
                        lights_.Change(below[j], 2) * seen_[i + 1][j] +
                        lights_.Change(below[j + 1], 4) * seen_[i + 1][j + 1];
      }
    }
  }

  // The best swap of a pixel so far.
  struct Best {
    int change = 0;
    bool (PaperSearch::*swap)(int, int) = nullptr;
  };

  // True if the pixel was swapped.
  HWY_INLINE bool Visit(int pixel) {
    const uint64_t others = (bits_ >> pixel & 1 ? ~bits_ : bits_) & gray_;
    const int i = pixel / 8;
    const int j = pixel % 8;
    Best best;
    const uint8_t rows[3] = {Row(others, i - 1), Row(others, i),
                             Row(others, i + 1)};
    const auto is_other = [&](int down, int right) {
      return ((rows[down + 1] << 1 >> (j + 1 + right)) & 1) != 0;
    };
    if (is_other(-1, -1)) Try<-1, -1>(i, j, best);
    if (is_other(-1, 0)) Try<-1, 0>(i, j, best);
    if (is_other(-1, 1)) Try<-1, 1>(i, j, best);
    if (is_other(0, -1)) Try<0, -1>(i, j, best);
    if (is_other(0, 1)) Try<0, 1>(i, j, best);
    if (is_other(1, -1)) Try<1, -1>(i, j, best);
    if (is_other(1, 0)) Try<1, 0>(i, j, best);
    if (is_other(1, 1)) Try<1, 1>(i, j, best);
    return best.swap && (this->*best.swap)(i, j);
  }
  // 0 outside the block.
  static uint8_t Row(uint64_t bits, int row) {
    return (row & ~7) != 0 ? 0 : static_cast<uint8_t>(bits >> (8 * row));
  }

  template <int down, int right>
  HWY_INLINE void Try(int i, int j, Best& best) {
    const int linear = 2 * LinearOf<down, right>(i, j);
    // The square is never below 0.
    if (linear >= best.change) return;
    int light[9];
    Changes<down, right>(i, j, light);
    const int change = linear + SquareOf<down, right>(light);
    if (change >= best.change) return;
    best = {change, &PaperSearch::Swap<down, right>};
  }

  // Those of both pixels, and what differs where a window has both.
  template <int down, int right>
  HWY_INLINE int LinearOf(int i, int j) {
    using Shape = SwapShape<down, right>;
    int sum = linear_[i][j] + linear_[i + down][j + right];
    HALFTONED_UNROLL
    for (int place = 0; place < Shape::kPlaces; ++place) {
      const unsigned own = Shape::Own(place);
      const unsigned other = Shape::Other(place);
      if (own == 0 || other == 0) continue;
      const int k = i + Shape::kTop + place / 3;
      const int l = first_ + j + Shape::kLeft + place % 3;
      const unsigned window = *field_.Window(k, l);
      sum += lights_.Together(window, own | other) *
             seen_[i + Shape::kTop + place / 3][j + Shape::kLeft + place % 3];
    }
    return sum;
  }

  // What a swap changes the light of windows by.
  template <int down, int right>
  HWY_INLINE void Changes(int i, int j, int* light) {
    using Shape = SwapShape<down, right>;
    HALFTONED_UNROLL
    for (int place = 0; place < Shape::kPlaces; ++place) {
      const unsigned bits = Shape::Own(place) | Shape::Other(place);
      light[place] =
          bits == 0 ? 0
                    : lights_.Change(
                          *field_.Window(i + Shape::kTop + place / 3,
                                         first_ + j + Shape::kLeft + place % 3),
                          bits);
    }
  }

  template <int down, int right>
  HWY_INLINE int SquareOf(const int* light) {
    using Shape = SwapShape<down, right>;
    int64_t sum = 0;
    HALFTONED_UNROLL
    for (int m = 0; m < Shape::kPlaces; ++m) {
      if ((Shape::Own(m) | Shape::Other(m)) == 0) continue;
      int with = light[m] * kKernel.of[0][0];
      HALFTONED_UNROLL
      for (int n = 0; n < m; ++n) {
        if ((Shape::Own(n) | Shape::Other(n)) == 0) continue;
        with += 2 * light[n] * kKernel.of[m][n];
      }
      sum += int64_t{with} * light[m];
    }
    return static_cast<int>(sum >> kPaperShift);
  }

  template <int down, int right>
  HWY_NOINLINE bool Swap(int i, int j) {
    using Shape = SwapShape<down, right>;
    int light[9];
    Changes<down, right>(i, j, light);
    bits_ ^= uint64_t{1} << (8 * i + j) | uint64_t{1}
                                              << (8 * (i + down) + j + right);
    for (int place = 0; place < Shape::kPlaces; ++place) {
      const int k = i + Shape::kTop + place / 3;
      const int l = first_ + j + Shape::kLeft + place % 3;
      const unsigned bits = Shape::Own(place) | Shape::Other(place);
      if (bits == 0) continue;
      *field_.Window(k, l) ^= static_cast<uint8_t>(bits);
      if (light[place] != 0) AddError(k, l, light[place]);
    }
    FindLinear();
    return true;
  }

  // Also to the sums of the blocks beside this.
  HWY_INLINE void AddError(int row, int column, int error) {
    const hn::CappedTag<int32_t, 8> d;
    const auto weight = hn::Set(d, error);
    for (int i = 0; i < PaperField::kRows; ++i) {
      const int32_t* const kernel = kPaperKernelTable<sweep>.Row(i - row);
      int32_t* const sums = field_.sums[i] + column;  // from 8 columns before
      for (size_t j = 0; j < 2 * PaperKernelTable::kMiddle; j += hn::Lanes(d)) {
        const auto more = hn::Mul(hn::LoadU(d, kernel + j), weight);
        hn::StoreU(hn::Add(hn::LoadU(d, sums + j), more), d, sums + j);
      }
    }
  }

  // The kernel between two places.
  struct PlaceKernel {
    int32_t of[9][9];
  };
  static constexpr PlaceKernel kKernel = [] {
    PlaceKernel kernel{};
    for (int m = 0; m < 9; ++m) {
      for (int n = 0; n < 9; ++n) {
        kernel.of[m][n] =
            PaperKernelAt(kPaperKernels[sweep], m / 3 - n / 3, m % 3 - n % 3);
      }
    }
    return kernel;
  }();

  PaperField& field_;
  const WindowLights& lights_;
  const int first_;
  const uint64_t gray_;
  uint64_t bits_;
  int seen_[PaperField::kRows][PaperField::kRows];
  int linear_[kBestBlock][kBestBlock];
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SWAP_PAPER_SEARCH_INL_H_
