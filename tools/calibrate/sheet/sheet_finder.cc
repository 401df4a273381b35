// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/sheet_finder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>

namespace halftoned {
namespace {

using Sheet = CalibrationSheet;
using Corners = std::array<SheetPoint, 4>;  // in turn around the sheet

constexpr int kLeastWhite = 90;
constexpr int kLeastContrast = 60;
constexpr double kLeastGrays = 0.03;  // share of pixels between black and white
constexpr int kLeastSide = 300;       // side of a frame, in pixels
constexpr size_t kMostBlots = 8;      // the number of candidates for the frame

class Histogram {
 public:
  explicit Histogram(const GrayPicture& scan) {
    const double one = 1 / static_cast<double>(scan.at.size());
    for (const uint8_t gray : scan.at) share_[gray] += one;
  }

  // The quantile of the pixels' grays.
  int Quantile(double share) const {
    double sum = 0;
    int gray = 0;
    while (gray < 255 && (sum += share_[gray]) < share) ++gray;
    return gray;
  }

  // The share of pixels with grays from `first` to `last`.
  double Between(int first, int last) const {
    double sum = 0;
    for (int gray = first; gray <= last; ++gray) sum += share_[gray];
    return sum;
  }

 private:
  std::array<double, 256> share_{};
};

// A connected dark area.
struct Blot {
  Corners corners{};  // its outermost points
  double extent = 0;  // the side of a square that holds it
};

double Distance(SheetPoint a, SheetPoint b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

bool IsLarge(const Blot& blot) {
  for (size_t i = 0; i < 4; ++i) {
    if (Distance(blot.corners[i], blot.corners[(i + 1) % 4]) < kLeastSide) {
      return false;
    }
  }
  return true;
}

class Blots {
 public:
  Blots(const GrayPicture& scan, int dark)
      : scan_(scan), dark_(dark), seen_(scan.at.size()) {}

  // The blots that are large enough for a frame, the largest first.
  std::vector<Blot> Large() {
    std::vector<Blot> large;
    for (int y = 0; y < scan_.height; ++y) {
      for (int x = 0; x < scan_.width; ++x) {
        if (!IsNew(x, y)) continue;
        const Blot blot = From(x, y);
        if (IsLarge(blot)) large.push_back(blot);
      }
    }
    std::ranges::sort(large, std::greater(), &Blot::extent);
    return large;
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

// The mean of some pixels around a point of the sheet.
int CodeAt(const GrayPicture& scan, const Projection& to_scan, SheetPoint at) {
  constexpr double kAside = 0.1;  // millimeters
  int sum = 0;
  int count = 0;
  for (const double dx : {-kAside, 0.0, kAside}) {
    for (const double dy : {-kAside, 0.0, kAside}) {
      const SheetPoint point = to_scan({at.x + dx, at.y + dy});
      const double x = std::clamp(point.x, 0.0, scan.width - 1.0);
      const double y = std::clamp(point.y, 0.0, scan.height - 1.0);
      sum += scan.At(static_cast<int>(x), static_cast<int>(y));
      ++count;
    }
  }
  return sum / count;
}

// Whether the fixed patches are where they belong.
bool IsRight(const GrayPicture& scan, const Projection& to_scan, int dark) {
  const auto is_dark = [&](int column, int row) {
    const SheetPoint at = MiddleOf({SheetPatch::Kind::kBlank, column, row});
    return CodeAt(scan, to_scan, at) < dark;
  };
  for (int column = 1; column + 1 < Sheet::kColumns; ++column) {
    if (is_dark(column, 0) != (column % 2 == 1)) return false;
  }
  return is_dark(0, 0) && !is_dark(0, 1) && !is_dark(Sheet::kColumns - 1, 0) &&
         !is_dark(0, Sheet::kRows - 1) &&
         !is_dark(Sheet::kColumns - 1, Sheet::kRows - 1);
}

std::optional<FoundSheet> Turned(const GrayPicture& scan, Corners corners,
                                 int dark) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    const FoundSheet found{Projection(kSheetCorners, corners),
                           Projection(corners, kSheetCorners), dark};
    if (IsRight(scan, found.to_scan, dark)) return found;
    std::rotate(corners.begin(), corners.begin() + 1, corners.end());
  }
  return std::nullopt;
}

}  // namespace

SheetPoint MiddleOf(const SheetPatch& patch) {
  return {Sheet::kFirst + (patch.column + 0.5) * Sheet::kCell,
          Sheet::kFirst + (patch.row + 0.5) * Sheet::kCell};
}

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
  const Histogram histogram(scan);
  const int black = histogram.Quantile(0.02);
  const int white = histogram.Quantile(0.9);
  if (white < kLeastWhite) {
    return BadInput("the scan is too dark: scan lighter");
  }
  if (white - black < kLeastContrast) {
    return BadInput(
        "the scan has no black: scan the whole chart, without brightness "
        "correction");
  }
  const int quarter = (white - black) / 4;
  if (histogram.Between(black + quarter, white - quarter) < kLeastGrays) {
    return BadInput("the scan is black and white: scan in gray");
  }
  const int dark = (black + white) / 2;
  const std::vector<Blot> blots = Blots(scan, dark).Large();
  if (blots.empty()) {
    return BadInput(
        "no calibration chart found: scan its whole frame, at 150 dpi or more");
  }
  bool is_mirrored = false;
  for (size_t i = 0; i < std::min(blots.size(), kMostBlots); ++i) {
    const Corners& corners = blots[i].corners;
    if (const auto found = Turned(scan, corners, dark)) return *found;
    const Corners mirrored = {corners[1], corners[0], corners[3], corners[2]};
    is_mirrored |= Turned(scan, mirrored, dark).has_value();
  }
  if (is_mirrored) {
    return BadInput(
        "the calibration chart is mirrored: scan it without mirroring");
  }
  return BadInput(
      "the scan does not show a calibration chart: scan the print of halftone "
      "calibrate print, with its whole frame, nearly straight");
}

std::vector<bool> ReadCode(const GrayPicture& scan, const FoundSheet& found,
                           SheetPoint off) {
  std::vector<bool> code;
  for (int row = 0; row < Sheet::kCodeRows; ++row) {
    for (int column = 0; column < Sheet::kCodeColumns; ++column) {
      const SheetPoint at = {
          Sheet::kFirst + (column + 0.5) * Sheet::kCodeSquare + off.x,
          Sheet::kCodeTop + (row + 0.5) * Sheet::kCodeSquare + off.y};
      code.push_back(CodeAt(scan, found.to_scan, at) < found.dark);
    }
  }
  return code;
}

}  // namespace halftoned
