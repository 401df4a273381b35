// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/sheet_finder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace halftoned {
namespace {

using Sheet = CalibrationSheet;
using Corners = std::array<SheetPoint, 4>;  // in turn around the sheet

constexpr int kLeastContrast = 60;
constexpr int kLeastSide = 300;  // of a frame, in pixels

// The gray that this share of all pixels is darker than.
int Quantile(const GrayPicture& scan, double share) {
  std::array<size_t, 256> count{};
  for (const uint8_t gray : scan.at) ++count[gray];
  const double wanted = share * static_cast<double>(scan.at.size());
  double sum = 0;
  int gray = 0;
  while (gray < 255 && (sum += static_cast<double>(count[gray])) < wanted) {
    ++gray;
  }
  return gray;
}

// What is connected and dark.
struct Blot {
  Corners corners{};  // its outermost points
  double extent = 0;  // of the square that holds it
};

class Blots {
 public:
  Blots(const GrayPicture& scan, int dark)
      : scan_(scan), dark_(dark), seen_(scan.at.size()) {}

  Blot Largest() {
    Blot largest;
    for (int y = 0; y < scan_.height; ++y) {
      for (int x = 0; x < scan_.width; ++x) {
        if (!IsNew(x, y)) continue;
        const Blot blot = From(x, y);
        if (blot.extent > largest.extent) largest = blot;
      }
    }
    return largest;
  }

 private:
  bool IsNew(int x, int y) const {
    const size_t at = static_cast<size_t>(y) * scan_.width + x;
    return scan_.at[at] < dark_ && !seen_[at];
  }

  void Visit(int x, int y) {
    if (x < 0 || y < 0 || x >= scan_.width || y >= scan_.height) return;
    if (!IsNew(x, y)) return;
    seen_[static_cast<size_t>(y) * scan_.width + x] = true;
    todo_.push_back({x, y});
  }

  Blot From(int x, int y) {
    // The least and the greatest x + y and x − y.
    std::array<int, 4> least;
    least.fill(1 << 30);
    Blot blot;
    int left = x, right = x, bottom = y;
    Visit(x, y);
    while (!todo_.empty()) {
      const auto [i, j] = todo_.back();
      todo_.pop_back();
      const std::array<int, 4> sums = {i + j, j - i, -i - j, i - j};
      for (size_t k = 0; k < 4; ++k) {
        if (sums[k] >= least[k]) continue;
        least[k] = sums[k];
        // The outer corner of the pixel.
        blot.corners[k] = {k == 0 || k == 3 ? double(i) : i + 1.0,
                           k <= 1 ? double(j) : j + 1.0};
      }
      left = std::min(left, i);
      right = std::max(right, i);
      bottom = std::max(bottom, j);
      Visit(i - 1, j);
      Visit(i + 1, j);
      Visit(i, j - 1);
      Visit(i, j + 1);
    }
    blot.extent = double(right - left) * (bottom - y);
    return blot;
  }

  struct Pixel {
    int x;
    int y;
  };
  const GrayPicture& scan_;
  const int dark_;
  std::vector<bool> seen_;
  std::vector<Pixel> todo_;
};

const Corners kSheetCorners = {{{0, 0},
                                {Sheet::kWidth, 0},
                                {Sheet::kWidth, Sheet::kHeight},
                                {0, Sheet::kHeight}}};

bool IsDark(const GrayPicture& scan, const Projection& to_scan, int column,
            int row, int dark) {
  const SheetPoint middle =
      to_scan({Sheet::kFirst + (column + 0.5) * Sheet::kCell,
               Sheet::kFirst + (row + 0.5) * Sheet::kCell});
  const int x = std::clamp(static_cast<int>(middle.x), 0, scan.width - 1);
  const int y = std::clamp(static_cast<int>(middle.y), 0, scan.height - 1);
  return scan.At(x, y) < dark;
}

// Whether the patches that are fixed are where they belong.
bool IsRight(const GrayPicture& scan, const Projection& to_scan, int dark) {
  const auto is_dark = [&](int column, int row) {
    return IsDark(scan, to_scan, column, row, dark);
  };
  return is_dark(0, 0) && is_dark(1, 0) && !is_dark(0, 1) &&
         !is_dark(Sheet::kColumns - 1, 0) && !is_dark(0, Sheet::kRows - 1) &&
         !is_dark(Sheet::kColumns - 1, Sheet::kRows - 1);
}

std::optional<FoundSheet> Turned(const GrayPicture& scan, Corners corners,
                                 int dark) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    const FoundSheet found{Projection(kSheetCorners, corners),
                           Projection(corners, kSheetCorners)};
    if (IsRight(scan, found.to_scan, dark)) return found;
    std::rotate(corners.begin(), corners.begin() + 1, corners.end());
  }
  return std::nullopt;
}

double Distance(SheetPoint a, SheetPoint b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

}  // namespace

void SolveEquations(std::vector<std::vector<double>>& rows) {
  const size_t count = rows.size();
  for (size_t i = 0; i < count; ++i) {
    const auto pivot =
        std::max_element(rows.begin() + static_cast<ptrdiff_t>(i), rows.end(),
                         [i](const auto& a, const auto& b) {
                           return std::abs(a[i]) < std::abs(b[i]);
                         });
    std::swap(rows[i], *pivot);
    for (size_t k = 0; k < count; ++k) {
      if (k == i) continue;
      const double factor = rows[k][i] / rows[i][i];
      for (size_t j = i; j <= count; ++j) rows[k][j] -= factor * rows[i][j];
    }
  }
  for (size_t i = 0; i < count; ++i) rows[i][count] /= rows[i][i];
}

Projection::Projection(const std::array<SheetPoint, 4>& from,
                       const std::array<SheetPoint, 4>& to) {
  std::vector<std::vector<double>> rows;
  for (size_t i = 0; i < 4; ++i) {
    const auto [x, y] = from[i];
    const auto [u, v] = to[i];
    rows.push_back({x, y, 1, 0, 0, 0, -u * x, -u * y, u});
    rows.push_back({0, 0, 0, x, y, 1, -v * x, -v * y, v});
  }
  SolveEquations(rows);
  for (size_t i = 0; i < 8; ++i) numbers_[i] = rows[i][8];
}

SheetPoint Projection::operator()(SheetPoint point) const {
  const auto& n = numbers_;
  const double scale = n[6] * point.x + n[7] * point.y + 1;
  return {(n[0] * point.x + n[1] * point.y + n[2]) / scale,
          (n[3] * point.x + n[4] * point.y + n[5]) / scale};
}

Result<FoundSheet> FindSheet(const GrayPicture& scan) {
  const int black = Quantile(scan, 0.02);
  const int white = Quantile(scan, 0.9);
  if (white - black < kLeastContrast) {
    return BadInput(
        "the scan has no black or no white: scan the whole sheet, without "
        "correction of brightness");
  }
  const int dark = (black + white) / 2;
  const Corners corners = Blots(scan, dark).Largest().corners;
  for (size_t i = 0; i < 4; ++i) {
    if (Distance(corners[i], corners[(i + 1) % 4]) < kLeastSide) {
      return BadInput(
          "no calibration sheet is found: its whole frame must be in the scan, "
          "of at least 150 dots an inch");
    }
  }
  if (const auto found = Turned(scan, corners, dark)) return *found;
  if (Turned(scan, {corners[1], corners[0], corners[3], corners[2]}, dark)) {
    return BadInput("the calibration sheet is mirrored: scan it unmirrored");
  }
  return BadInput(
      "the frame in the scan is not that of a calibration sheet, or is turned "
      "by more than 20 degrees");
}

}  // namespace halftoned
