// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/calibration_sheet.h"

#include <array>

#include "calibrate/sheet/sheet_letters.h"

namespace halftoned {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

constexpr int kSolids = 6;
constexpr int kPlacesOfRuling = 2;  // of each direction

std::vector<SheetPatch> Fixed() {
  std::vector<SheetPatch> patches;
  for (int column = 0; column < Sheet::kColumns; ++column) {
    const bool is_solid = column == 0 || column % 2 == 1;
    const bool is_last = column == Sheet::kColumns - 1;
    patches.push_back(
        {is_solid && !is_last ? Kind::kSolid : Kind::kBlank, column, 0});
  }
  patches.push_back({Kind::kBlank, 0, 1});
  patches.push_back({Kind::kBlank, 0, Sheet::kRows - 1});
  patches.push_back({Kind::kBlank, Sheet::kColumns - 1, Sheet::kRows - 1});
  return patches;
}

// The patches in scattered places, in the order in which they get their places.
std::vector<SheetPatch> Scattered() {
  std::vector<SheetPatch> patches;
  for (int i = 0; i < Sheet::kPlaces * Sheet::kWedges; ++i) {
    for (int step = i % Sheet::kWedges; step < Sheet::kTones;
         step += Sheet::kWedges) {
      patches.push_back({Kind::kTone, 0, 0, Sheet::ToneAt(step)});
    }
  }
  for (int i = 0; i < 2 * kPlacesOfRuling; ++i) {
    for (const Ruling& ruling : Sheet::kRulings) {
      patches.push_back({Kind::kRuling, 0, 0, 0, ruling, i % 2 == 1});
    }
  }
  for (int i = 0; i < kSolids; ++i) patches.push_back({Kind::kSolid, 0, 0});
  return patches;
}

SheetMark MarkOf(const SheetPatch& patch) {
  const double inset = Sheet::kFirst + (Sheet::kCell - Sheet::kSide) / 2;
  const bool is_ruled = patch.kind == Kind::kRuling;
  return {patch.column * Sheet::kCell + inset,
          patch.row * Sheet::kCell + inset,
          Sheet::kSide,
          Sheet::kSide,
          static_cast<uint8_t>(is_ruled ? 255 : patch.tone),
          patch.ruling,
          patch.is_lying};
}

}  // namespace

std::vector<SheetPatch> CalibrationSheet::Patches() {
  std::vector<SheetPatch> patches = Fixed();
  constexpr int kCells = kColumns * kRows;
  std::array<bool, kCells> is_taken{};
  for (const SheetPatch& patch : patches) {
    is_taken[static_cast<size_t>(patch.row * kColumns + patch.column)] = true;
  }
  const std::vector<SheetPatch> scattered = Scattered();
  size_t next = 0;
  constexpr int kStep = 7;  // has no common divisor with kCells
  for (int i = 0; i < kCells; ++i) {
    const int cell = i * kStep % kCells;
    if (is_taken[static_cast<size_t>(cell)]) continue;
    // Blanks are distributed among the other patches.
    const bool is_blank = i % 6 == 5 || next == scattered.size();
    patches.push_back(is_blank ? SheetPatch{Kind::kBlank, 0, 0}
                               : scattered[next++]);
    patches.back().column = cell % kColumns;
    patches.back().row = cell / kColumns;
  }
  return patches;
}

std::vector<SheetMark> CalibrationSheet::Marks(
    const std::vector<bool>& code, const std::vector<std::string>& words) {
  std::vector<SheetMark> marks = {
      {0, 0, kWidth, kHeight, 0},
      {kFrame, kFrame, kWidth - 2 * kFrame, kHeight - 2 * kFrame, 255}};
  for (const SheetPatch& patch : Patches()) {
    if (patch.kind != Kind::kBlank) marks.push_back(MarkOf(patch));
  }
  for (size_t i = 0; i < code.size(); ++i) {
    if (!code[i]) continue;
    const auto column = static_cast<double>(i % kCodeColumns);
    const auto row = static_cast<double>(i / kCodeColumns);
    marks.push_back({kFirst + column * kCodeSquare,
                     kCodeTop + row * kCodeSquare, kCodeSquare, kCodeSquare});
  }
  double top = kHeight + kLineHeight / 2;
  for (size_t i = 0; i < words.size() && i < kLines; ++i) {
    AddLetters(words[i], 0, top, kWidth, marks);
    top += kLineHeight;
  }
  return marks;
}

}  // namespace halftoned
