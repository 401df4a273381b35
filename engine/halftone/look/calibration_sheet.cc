// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/calibration_sheet.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halftoned {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

constexpr double kMillimetresOfInch = 25.4;
constexpr int kRulings = 6;  // of each kind and direction
constexpr int kSolids = 8;

// What is in scattered places, in the order in which places are given out.
std::vector<SheetPatch> Scattered() {
  std::vector<SheetPatch> patches;
  for (int i = 0; i < Sheet::kTones * Sheet::kPlaces; ++i) {
    patches.push_back({Kind::kTone, 0, 0, Sheet::ToneAt(i % Sheet::kTones)});
  }
  for (int i = 0; i < 2 * kRulings; ++i) {
    patches.push_back({Kind::kFine, 0, 0, 0, i % 2 == 1});
    patches.push_back({Kind::kCoarse, 0, 0, 0, i % 2 == 1});
  }
  for (int i = 0; i < kSolids; ++i) patches.push_back({Kind::kSolid, 0, 0});
  return patches;
}

class Drawing {
 public:
  explicit Drawing(int dots_per_inch)
      : dots_per_inch_(dots_per_inch),
        picture_(At(Sheet::kWidth + 2 * Sheet::kMargin),
                 At(Sheet::kHeight + 2 * Sheet::kMargin)) {}

  GrayPicture Draw() {
    Fill(0, 0, Sheet::kWidth, Sheet::kHeight, 0);
    Fill(Sheet::kFrame, Sheet::kFrame, Sheet::kWidth - 2 * Sheet::kFrame,
         Sheet::kHeight - 2 * Sheet::kFrame, 255);
    for (const SheetPatch& patch : Sheet::Patches()) Draw(patch);
    return std::move(picture_);
  }

 private:
  int At(double millimetres) const {
    return static_cast<int>(
        std::lround(millimetres * dots_per_inch_ / kMillimetresOfInch));
  }

  void Fill(double left, double top, double width, double height,
            uint8_t gray) {
    const int x = At(left + Sheet::kMargin);
    const int end = At(left + width + Sheet::kMargin);
    for (int y = At(top + Sheet::kMargin);
         y < At(top + height + Sheet::kMargin); ++y) {
      std::fill(&picture_.At(x, y), &picture_.At(x, y) + (end - x), gray);
    }
  }

  void Draw(const SheetPatch& patch) {
    const double inset = (Sheet::kCell - Sheet::kSide) / 2;
    const double left = Sheet::kFirst + patch.column * Sheet::kCell + inset;
    const double top = Sheet::kFirst + patch.row * Sheet::kCell + inset;
    if (patch.kind == Kind::kBlank) return;
    const auto gray = static_cast<uint8_t>(patch.tone);
    Fill(left, top, Sheet::kSide, Sheet::kSide, gray);
    if (patch.kind == Kind::kFine) Rule(patch, left, top, 1);
    if (patch.kind == Kind::kCoarse) Rule(patch, left, top, Sheet::kCoarser);
  }

  // Takes every other line out of a solid patch.
  void Rule(const SheetPatch& patch, double left, double top, int coarser) {
    const int line = coarser * dots_per_inch_ / Sheet::kFineLines / 2;
    const int x = At(left + Sheet::kMargin);
    const int y = At(top + Sheet::kMargin);
    const int side = At(Sheet::kSide);
    for (int i = 0; i < side; ++i) {
      for (int j = 0; j < side; ++j) {
        if ((patch.is_lying ? i : j) / line % 2 == 1) {
          picture_.At(x + j, y + i) = 255;
        }
      }
    }
  }

  const int dots_per_inch_;
  GrayPicture picture_;
};

}  // namespace

std::vector<SheetPatch> CalibrationSheet::Patches() {
  std::vector<SheetPatch> patches = {
      {Kind::kSolid, 0, 0},         {Kind::kSolid, 1, 0},
      {Kind::kBlank, 0, 1},         {Kind::kBlank, kColumns - 1, 0},
      {Kind::kBlank, 0, kRows - 1}, {Kind::kBlank, kColumns - 1, kRows - 1}};
  const auto is_taken = [&, fixed = patches.size()](int column, int row) {
    return std::any_of(patches.begin(),
                       patches.begin() + static_cast<ptrdiff_t>(fixed),
                       [&](const SheetPatch& patch) {
                         return patch.column == column && patch.row == row;
                       });
  };
  const std::vector<SheetPatch> scattered = Scattered();
  size_t next = 0;
  constexpr int kCells = kColumns * kRows;
  constexpr int kStep = 37;  // without a common divisor with kCells
  for (int i = 0; i < kCells; ++i) {
    const int cell = i * kStep % kCells;
    const int column = cell % kColumns;
    const int row = cell / kColumns;
    if (is_taken(column, row)) continue;
    // Blanks are spread among the rest.
    const bool is_blank = i % 6 == 5 || next == scattered.size();
    SheetPatch patch =
        is_blank ? SheetPatch{Kind::kBlank, 0, 0} : scattered[next++];
    patch.column = column;
    patch.row = row;
    patches.push_back(patch);
  }
  return patches;
}

Result<GrayPicture> CalibrationSheet::Draw(int dots_per_inch) {
  if (dots_per_inch < 300 || dots_per_inch > 2400 || dots_per_inch % 300 != 0) {
    return BadInput(
        "a calibration sheet needs a multiple of 300 dots an inch, at most "
        "2400");
  }
  return Drawing(dots_per_inch).Draw();
}

}  // namespace halftoned
