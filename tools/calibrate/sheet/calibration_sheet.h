// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chart with which a printer is measured: two wedges of tones in scattered
// positions within a black frame, rulings, a code and words. A scan of the
// print shows the printer's tones, even if the scanner is unknown
// (sheet_reader.h), because the chart has its own black, white and rulings.
//
// Lengths are millimeters, from the outer top left corner of the frame.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace halftoned {

// Black lines and the gaps between them, in units of 1/300 inch, or as near to
// that as the printer's dots allow.
struct Ruling {
  int black = 0;
  int white = 0;
  int period() const { return black + white; }
};

struct SheetPatch {
  enum class Kind { kBlank, kSolid, kTone, kRuling };
  Kind kind;
  int column;
  int row;
  int tone = 0;           // for kTone, 0 … 255
  Ruling ruling;          // for kRuling
  bool is_lying = false;  // the lines of a ruling are horizontal
};

// A rectangle of the drawing; later ones cover earlier ones.
struct SheetMark {
  double left;
  double top;
  double width;
  double height;
  uint8_t gray = 0;
  Ruling ruling;  // black lines over the gray, if the ruling has a period
  bool is_lying = false;
};

// The size of a printed chart. On small paper the chart is smaller, but its
// lines are not.
struct SheetSize {
  double scale = 1;  // at most 1
  // The unit of rulings in micrometers: a whole number of the printer's dots.
  double unit_across = 84.7;
  double unit_down = 84.7;

  friend bool operator==(const SheetSize&, const SheetSize&) = default;
};

struct CalibrationSheet {
  static constexpr int kColumns = 12;
  static constexpr int kRows = 15;
  static constexpr double kCell = 9;    // from patch to patch
  static constexpr double kSide = 7.4;  // of a patch, in the middle of its cell
  static constexpr double kFrame = 4;
  static constexpr double kFirst = kFrame + 2;  // the first cell

  // The code (sheet_code.h) is below the cells, and words below the frame.
  static constexpr int kCodeColumns = 90;
  static constexpr int kCodeRows = 12;
  static constexpr double kCodeSquare = 1.2;
  static constexpr double kCodeTop = kFirst + kRows * kCell + 1;
  static constexpr double kWidth = kColumns * kCell + 2 * kFirst;
  static constexpr double kHeight =
      kCodeTop + kCodeRows * kCodeSquare + 2 + kFrame;
  static constexpr int kLines = 4;
  static constexpr double kLineHeight = 4;
  static constexpr double kWholeHeight = kHeight + (kLines + 0.5) * kLineHeight;

  // The tones of the second wedge are between those of the first.
  static constexpr int kWedges = 2;
  static constexpr int kSteps = 24;
  static constexpr int kTones = kWedges * kSteps;
  static constexpr int kPlaces = 2;  // for each tone
  // Narrow rulings, which scattering in paper darkens most; and wide ones, in
  // the middle of which ink and paper look as elsewhere.
  static constexpr Ruling kRulings[] = {{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1},
                                        {4, 4}, {2, 6}, {6, 2}, {8, 8}};
  static constexpr double kUnit = 25.4 / 300;  // of rulings

  static int ToneAt(int step) { return 255 * (step + 1) / (kTones + 1); }

  // All patches, which are always the same. The first row alternates between
  // solid and blank, except for its first two patches. The other corners and
  // the first patch of the second row are blank. So a rotated or mirrored chart
  // is recognized.
  static std::vector<SheetPatch> Patches();

  // The drawing of the chart. code: bits, row by row. words: lines, cropped at
  // the right.
  static std::vector<SheetMark> Marks(const std::vector<bool>& code,
                                      const std::vector<std::string>& words);
};

}  // namespace halftoned
