// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sheet that a printer is measured by: patches of many tones in scattered
// places, within a black frame. A scan of its print tells the printer's tones
// without knowing anything about the scanner (sheet_reader.h), because the
// sheet has its own black and white and two rulings.
//
// Lengths are millimetres, from the outer corner of the frame at the top left.

#ifndef HALFTONED_HALFTONE_LOOK_CALIBRATION_SHEET_H_
#define HALFTONED_HALFTONE_LOOK_CALIBRATION_SHEET_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"

namespace halftoned {

// Rows of gray without padding; 0 is black.
struct GrayPicture {
  GrayPicture(int the_width, int the_height, uint8_t gray = 255)
      : width(the_width),
        height(the_height),
        at(static_cast<size_t>(width) * height, gray) {}
  uint8_t& At(int x, int y) { return at[static_cast<size_t>(y) * width + x]; }
  uint8_t At(int x, int y) const {
    return at[static_cast<size_t>(y) * width + x];
  }

  int width;
  int height;
  std::vector<uint8_t> at;
};

struct SheetPatch {
  enum class Kind { kBlank, kSolid, kTone, kFine, kCoarse };
  Kind kind;
  int column;
  int row;
  int tone = 0;           // of kTone, 0 … 255
  bool is_lying = false;  // the lines of a ruling
};

struct CalibrationSheet {
  static constexpr int kColumns = 14;
  static constexpr int kRows = 10;
  static constexpr double kCell = 10;  // from patch to patch
  static constexpr double kSide = 8;   // of a patch, in the middle of its cell
  static constexpr double kFrame = 4;
  static constexpr double kGap = 2;  // between frame and cells
  static constexpr double kFirst = kFrame + kGap;
  static constexpr double kWidth = kColumns * kCell + 2 * kFirst;
  static constexpr double kHeight = kRows * kCell + 2 * kFirst;
  static constexpr double kMargin = 10;  // of paper, around the frame
  static constexpr int kTones = 26;
  static constexpr int kPlaces = 3;  // of each tone

  // A fine ruling has this many lines of black in an inch, and as wide gaps; a
  // coarse one a quarter of them. Edges of lines grow alike in both.
  static constexpr int kFineLines = 150;
  static constexpr int kCoarser = 4;

  static int ToneAt(int step) { return 255 * (step + 1) / (kTones + 1); }
  // All of them, the same every time. The first two of the first row are solid,
  // the first of the second row and the other corners are blank, so that the
  // sheet is never taken for a turned or mirrored one.
  static std::vector<SheetPatch> Patches();

  // The sheet with its margin. dots_per_inch: a multiple of 300, at most 2400.
  static Result<GrayPicture> Draw(int dots_per_inch);
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOOK_CALIBRATION_SHEET_H_
