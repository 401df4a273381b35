// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulated print of a calibration sheet, in light between its black and its
// paper. It has the tones that are given, and rulings as a simulated laser
// (laser_model.h) prints them.

#pragma once

#include <array>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "bench/tone/laser_model.h"
#include "calibrate/sheet/calibration_sheet.h"
#include "calibrate/sheet/sheet_code.h"

namespace halftoned::bench {

struct SheetPrint {
  std::function<double(int)> light_of;  // of a tone, between black and paper
  Laser laser = kTypicalLaser;
  SheetInfo info = {};
  double scale = 1;  // of the sheet
};

// The light along a ruling.
class RulingProfile {
 public:
  // sample: micrometers that each value is the mean of.
  RulingProfile(const Laser& laser, const Ruling& ruling, double sample);

  double At(double millimeters) const;

 private:
  double period_;  // micrometers
  std::vector<double> light_;
};

// In millimeters of the sheet.
class PrintedSheet {
 public:
  // sample: millimeters between the places that At is called with.
  PrintedSheet(const SheetPrint& print, double sample);

  double At(double x, double y) const;

  // Whether the light is the same everywhere within `around` millimeters.
  bool IsFlat(double x, double y, double around) const;

 private:
  using Sheet = CalibrationSheet;
  struct Place {
    const SheetPatch* patch = nullptr;
    double x = 0;
    double y = 0;
  };

  Place PlaceOf(double x, double y) const;
  double InCode(double x, double y) const;
  double InPatch(const SheetPatch& patch, double x, double y) const;

  const std::vector<bool> code_;
  std::map<std::pair<int, int>, RulingProfile> rulings_;
  std::array<double, 256> light_;
  std::array<SheetPatch, Sheet::kColumns * Sheet::kRows> patches_;
};

}  // namespace halftoned::bench
