// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preview/magnifier.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "preview/printed_rows.h"
#include "preview/reading_view.h"

namespace halftoned {
namespace {

// Keeps the bits of some rows and columns. The columns begin at a whole byte.
class KeptBits : public Sink {
 public:
  KeptBits(size_t first_byte, size_t bytes, int32_t top, int32_t rows)
      : first_byte_(first_byte),
        bytes_(bytes),
        top_(top),
        bits_(bytes * static_cast<size_t>(rows)) {}

  Result<void> Write(const BitBand& band) override {
    for (int32_t i = 0; i < band.rows; ++i) {
      const int64_t row = next_++ - top_;
      const auto at = static_cast<size_t>(row) * bytes_;
      if (row < 0 || at >= bits_.size()) continue;
      std::copy_n(band.row(i) + first_byte_, bytes_,
                  bits_.begin() + static_cast<ptrdiff_t>(at));
    }
    return {};
  }

  const std::byte* row(int32_t i) const {
    return bits_.data() + static_cast<size_t>(i) * bytes_;
  }

 private:
  const size_t first_byte_;
  const size_t bytes_;
  const int32_t top_;
  std::vector<std::byte> bits_;
  int64_t next_ = 0;
};

// The number of pixels per dot of a magnifier.
struct Enlarged {
  explicit Enlarged(const PrintGeometry& geometry)
      : across(Of(geometry.dots_per_inch_down / geometry.dots_per_inch_across)),
        down(Of(geometry.dots_per_inch_across / geometry.dots_per_inch_down)) {}
  static int Of(double ratio) {
    return static_cast<int>(
        std::lround(MagnifierWindow::kEnlarged * std::max(1.0, ratio)));
  }
  int across;
  int down;
};

// A window with the surrounding dots that affect it. Begins at a whole byte.
struct Surroundings {
  Surroundings(const MagnifierWindow& window, const PreviewPage& page)
      : left(std::max(0, window.left - kAround) / 8 * 8),
        top(std::max(0, window.top - kAround)),
        width(std::min(page.page.width(),
                       window.left + window.dots_across + kAround) -
              left),
        rows(std::min(page.rows, window.top + window.dots_down + kAround) -
             top) {}
  static constexpr int kAround = 16;  // dots
  int32_t left, top, width, rows;
};

int SampleAt(const std::byte* row, int32_t x, int bits_per_sample) {
  const int bit = x * bits_per_sample;
  const int shift = 8 - bits_per_sample - bit % 8;
  return std::to_integer<int>(row[bit / 8]) >> shift &
         ((1 << bits_per_sample) - 1);
}

GrayPicture BitsOf(const KeptBits& kept, const Surroundings& around,
                   const MagnifierWindow& window, const Levels& levels,
                   const Enlarged& enlarged) {
  GrayPicture picture(window.dots_across * enlarged.across,
                      window.dots_down * enlarged.down);
  const int most = (1 << levels.bits_per_sample) - 1;
  for (int y = 0; y < picture.height; ++y) {
    const int32_t row = window.top - around.top + y / enlarged.down;
    for (int x = 0; x < picture.width; ++x) {
      const int32_t column = window.left - around.left + x / enlarged.across;
      const int sample =
          SampleAt(kept.row(row), column, levels.bits_per_sample);
      picture.At(x, y) = static_cast<uint8_t>(255 * sample / most);
    }
  }
  return picture;
}

GrayPicture PrintOf(const KeptBits& kept, const Surroundings& around,
                    const MagnifierWindow& window, const Levels& levels,
                    const PrintGeometry& geometry, const Enlarged& enlarged) {
  GrayPicture picture(window.dots_across * enlarged.across,
                      window.dots_down * enlarged.down);
  const int left = (window.left - around.left) * enlarged.across;
  int y = (around.top - window.top) * enlarged.down;
  PrintedRows print(around.width,
                    {geometry.dots_per_inch_across, geometry.dots_per_inch_down,
                     enlarged.across, enlarged.down},
                    levels, [&](std::span<const float> light) {
                      const int row = y++;
                      if (row < 0 || row >= picture.height) return;
                      for (int x = 0; x < picture.width; ++x) {
                        picture.At(x, row) = CodeOfLight(
                            double(light[static_cast<size_t>(left + x)]));
                      }
                    });
  for (int32_t i = 0; i < around.rows; ++i) print.Add(kept.row(i));
  print.Finish();
  return picture;
}

}  // namespace

MagnifierWindow MagnifierAround(double x, double y, const PreviewPage& page) {
  const auto along = [](double middle, int32_t dots) {
    const int32_t shown = std::min<int32_t>(MagnifierWindow::kDots, dots);
    const auto first = static_cast<int64_t>(std::floor(middle)) - shown / 2;
    return std::pair(static_cast<int32_t>(
                         std::clamp<int64_t>(first, 0, int64_t{dots} - shown)),
                     shown);
  };
  const auto [left, across] = along(x, page.page.width());
  const auto [top, down] = along(y, page.rows);
  return {left, top, across, down};
}

Result<MagnifierPictures> MagnifierOf(const PreviewPage& page,
                                      const Recipe& recipe, TextEdges edges,
                                      const PrintGeometry& geometry,
                                      const MagnifierWindow& window,
                                      Pool& pool) {
  const Surroundings around(window, page);
  const Levels& levels = recipe.levels();
  const auto bits = static_cast<size_t>(levels.bits_per_sample);
  KeptBits kept(static_cast<size_t>(around.left) * bits / 8,
                (static_cast<size_t>(around.width) * bits + 7) / 8, around.top,
                around.rows);
  HALFTONED_TRY(HalftonePreview(page, recipe, edges, pool, kept));
  const Enlarged enlarged(geometry);
  return MagnifierPictures{
      BitsOf(kept, around, window, levels, enlarged),
      PrintOf(kept, around, window, levels, geometry, enlarged)};
}

}  // namespace halftoned
