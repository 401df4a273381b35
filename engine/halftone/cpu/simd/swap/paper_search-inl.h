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

// Windows and sums of 32 columns of a row of blocks.
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

// The windows that a swap with the neighbor at a distance changes: up to 3
// rows of 3, of which the first begins at the upper and left one of both
// pixels.
template <int down, int right>
struct SwapShape {
  static constexpr int kTop = down < 0 ? down : 0;  // from the pixel
  static constexpr int kLeft = right < 0 ? right : 0;
  static constexpr int kPlaces = 9;

  // Which of a window's bits a pixel is, in the window this many rows and
  // columns further on.
  static constexpr unsigned BitOf(int rows, int columns) {
    if (rows < 0 || rows > 1 || columns < 0 || columns > 1) return 0;
    return rows == 0 ? (columns == 0 ? 8u : 1u) : (columns == 0 ? 2u : 4u);
  }
  // The bit of the pixel, and that of its neighbor.
  static constexpr unsigned Own(int place) {
    return BitOf(place / 3 + kTop, place % 3 + kLeft);
  }
  static constexpr unsigned Other(int place) {
    return BitOf(place / 3 + kTop - down, place % 3 + kLeft - right);
  }
};

// Pairs of neighbors by the place of a corner: of the first pixel, or of its
// neighbor on the left if the pair goes down to the left.
struct PairKind {
  int down;
  int right;
  // The windows that have both, from the corner, and which of their bits the
  // pixels are.
  int windows;
  struct Window {
    int down;
    int right;
    unsigned bits;
  } window[2];

  constexpr int first_column() const { return right < 0 ? 1 : 0; }
};
inline constexpr int kPairKinds = 4;
inline constexpr PairKind kPairs[kPairKinds] = {
    {0, 1, 2, {{0, 1, 9}, {1, 1, 6}}},
    {1, 0, 2, {{1, 0, 10}, {1, 1, 5}}},
    {1, 1, 1, {{1, 1, 12}, {}}},
    {1, -1, 1, {{1, 1, 3}, {}}}};

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
    for (int i = 0; i < kWindows; ++i) {
      for (int j = 0; j < kWindows; ++j) ReadWindow(i, j);
    }
    FindGains();
    for (int scan = 0; scan < kBestScans; ++scan) {
      bool has_swapped = false;
      uint64_t left = ~uint64_t{0};  // pixels that have not been visited
      while ((left &= touched_) != 0) {
        const int pixel = std::countr_zero(left);
        left = pixel == 63 ? 0 : ~uint64_t{0} << (pixel + 1);
        has_swapped |= Visit(pixel);
      }
      if (!has_swapped) break;
    }
    return bits_;
  }

 private:
  static constexpr int kWindows = PaperField::kRows;
  static constexpr int kStride = 16;
  using Row32 = hn::CappedTag<int32_t, 8>;
  using Numbers = int32_t[kWindows + 1][kStride];

  // Takes over what a window's bits can change.
  HWY_INLINE void ReadWindow(int i, int j) {
    const unsigned window = *field_.Window(i, first_ + j);
    for (int bit = 0; bit < 4; ++bit) {
      own_[bit][i][j] = lights_.Change(window, 1u << bit);
    }
    for (int pair = 0; pair < kPairKinds; ++pair) {
      for (int n = 0; n < kPairs[pair].windows; ++n) {
        both_[pair][n][i][j] =
            lights_.Together(window, kPairs[pair].window[n].bits);
      }
    }
  }

  static HWY_INLINE hn::Vec<Row32> From(const Numbers& numbers, int i, int j) {
    return hn::LoadU(Row32(), numbers[i] + j);
  }
  // The products of changes and of what is seen.
  HWY_INLINE hn::Vec<Row32> Counted(const Numbers& numbers, int i,
                                    int j) const {
    return hn::Mul(From(numbers, i, j), From(seen_, i, j));
  }

  // The pairs that gain before the square is known.
  HWY_INLINE void FindGains() {
    const Row32 d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < kWindows; ++i) {
      for (int j = 0; j < kWindows; ++j)
        seen_[i][j] = field_.Seen(i, first_ + j);
    }
    for (int i = 0; i < kBestBlock; ++i) {
      for (int j = 0; j < kBestBlock; j += lanes) {
        const auto upper =
            hn::Add(Counted(own_[3], i, j), Counted(own_[0], i, j + 1));
        const auto lower =
            hn::Add(Counted(own_[1], i + 1, j), Counted(own_[2], i + 1, j + 1));
        hn::Store(hn::Add(upper, lower), d, linear_[i] + j);
      }
    }
    touched_ = 0;
    FindGainsOf<0>();
    FindGainsOf<1>();
    FindGainsOf<2>();
    FindGainsOf<3>();
  }
  template <int pair>
  HWY_INLINE void FindGainsOf() {
    constexpr PairKind kPair = kPairs[pair];
    constexpr int kFirst = kPair.first_column();
    constexpr int kLast = kFirst + kPair.right;
    constexpr int kAway = 8 * kPair.down + kLast;
    const Row32 d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    uint64_t gains = 0;
    for (int i = 0; i < kBestBlock - kPair.down; ++i) {
      for (int j = 0; j < kBestBlock; j += lanes) {
        auto sum = hn::Add(From(linear_, i, j + kFirst),
                           From(linear_, i + kPair.down, j + kLast));
        HALFTONED_UNROLL
        for (int n = 0; n < kPair.windows; ++n) {
          sum = hn::Add(sum, Counted(both_[pair][n], i + kPair.window[n].down,
                                     j + kPair.window[n].right));
        }
        hn::Store(sum, d, pairs_[pair][i] + j);
        uint8_t mask[8];
        StoreBits(d, hn::Lt(sum, hn::Zero(d)), mask);
        gains |= uint64_t{mask[0]} << (8 * i + j);
      }
    }
    if (kFirst != 0 || kLast != 0) gains &= 0x7f7f7f7f7f7f7f7f;
    gains &= gray_ >> kFirst & gray_ >> kAway;
    gains &= (bits_ >> kFirst) ^ (bits_ >> kAway);
    gains_[pair] = gains;
    touched_ |= gains << kFirst | gains << kAway;
  }

  struct Best {
    int change = 0;
    int pair = 0;
    int place = 0;
  };

  // True if the pixel was swapped.
  HWY_INLINE bool Visit(int pixel) {
    Best best;
    Try<2>(pixel - 9, best);
    Try<1>(pixel - 8, best);
    Try<3>(pixel - 8, best);
    Try<0>(pixel - 1, best);
    Try<0>(pixel, best);
    Try<3>(pixel - 1, best);
    Try<1>(pixel, best);
    Try<2>(pixel, best);
    if (best.change == 0) return false;
    switch (best.pair) {
      case 0:
        Swap<0>(best.place);
        break;
      case 1:
        Swap<1>(best.place);
        break;
      case 2:
        Swap<2>(best.place);
        break;
      default:
        Swap<3>(best.place);
        break;
    }
    return true;
  }

  template <int pair>
  HWY_INLINE void Try(int place, Best& best) {
    if (place < 0 || (gains_[pair] >> place & 1) == 0) return;
    const int linear = 2 * pairs_[pair][place / 8][place % 8];
    // The square is never below 0.
    if (linear >= best.change) return;
    const int change = linear + SquareOf<pair>(place);
    if (change < best.change) best = {change, pair, place};
  }

  template <int pair>
  using ShapeOf = SwapShape<kPairs[pair].down, kPairs[pair].right>;

  // How much a swap changes the light of windows.
  template <int pair>
  HWY_INLINE void Changes(int place, int* light) const {
    using Shape = ShapeOf<pair>;
    HALFTONED_UNROLL
    for (int at = 0; at < Shape::kPlaces; ++at) {
      const unsigned bits = Shape::Own(at) | Shape::Other(at);
      light[at] = bits == 0 ? 0
                            : lights_.Change(
                                  *field_.Window(place / 8 + at / 3,
                                                 first_ + place % 8 + at % 3),
                                  bits);
    }
  }

  template <int pair>
  HWY_INLINE int SquareOf(int place) {
    if ((known_[pair] >> place & 1) != 0) return squares_[pair][place];
    using Shape = ShapeOf<pair>;
    int light[9];
    Changes<pair>(place, light);
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
    known_[pair] |= uint64_t{1} << place;
    return squares_[pair][place] = static_cast<int>(sum >> kPaperShift);
  }

  template <int pair>
  HWY_NOINLINE void Swap(int place) {
    using Shape = ShapeOf<pair>;
    int light[9];
    Changes<pair>(place, light);
    constexpr PairKind kPair = kPairs[pair];
    bits_ ^= uint64_t{1} << (place + kPair.first_column()) |
             uint64_t{1} << (place + 8 * kPair.down + kPair.first_column() +
                             kPair.right);
    for (int at = 0; at < Shape::kPlaces; ++at) {
      const unsigned bits = Shape::Own(at) | Shape::Other(at);
      if (bits == 0) continue;
      const int i = place / 8 + at / 3;
      const int j = place % 8 + at % 3;
      *field_.Window(i, first_ + j) ^= static_cast<uint8_t>(bits);
      ReadWindow(i, j);
      if (light[at] != 0) AddError(i, first_ + j, light[at]);
    }
    for (uint64_t& known : known_) known = 0;
    FindGains();
  }

  // Also to the sums of the blocks beside this.
  HWY_INLINE void AddError(int row, int column, int error) {
    const Row32 d;
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
  uint64_t touched_ = 0;  // pixels of pairs that gain
  uint64_t gains_[kPairKinds];
  uint64_t known_[kPairKinds] = {};  // squares
  int squares_[kPairKinds][64];
  // Loads go beyond the windows, whose numbers there count for nothing.
  HWY_ALIGN_MAX Numbers seen_ = {};
  HWY_ALIGN_MAX Numbers own_[4] = {};
  HWY_ALIGN_MAX Numbers both_[kPairKinds][2] = {};
  HWY_ALIGN_MAX Numbers linear_ = {};
  HWY_ALIGN_MAX int32_t pairs_[kPairKinds][kBestBlock][8];
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SWAP_PAPER_SEARCH_INL_H_
