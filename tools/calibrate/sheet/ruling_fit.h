// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scanner's encoding of light, fitted to the expected appearance of the
// rulings on a calibration chart (ruling_light.h). Mean and contrast of each
// ruling follow from a few numbers of the print and of the scanner, but only if
// codes are converted to light correctly. If the paper scatters more, only
// narrow rulings are darker, so wide ones distinguish that from a scanner with
// another power.

#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "calibrate/sheet/patch_light.h"
#include "calibrate/sheet/ruling_light.h"

namespace halftoned {

class RulingFit {
 public:
  RulingFit(const std::vector<PatchCodes>& patches, const SheetScale& scale)
      : patches_(patches), scale_(scale) {}

  // Whether any fit explains the rulings.
  bool Run();

  ScannerTone tone() const { return ToneOf(numbers_); }
  double scatter() const;  // of the paper, in micrometers
  double flare() const { return numbers_[kFlareShare]; }

  // The largest difference between the mean of a ruling and its expected value.
  double Misfit() const;

  // The deviation of the light of each patch, where 1 is paper.
  std::vector<double> Deviations() const;

 private:
  // The fitted numbers: the tone; for vertical and for horizontal rulings, by
  // how many units lines are wider, and the logarithm of the scanner's blur in
  // pixels; its flare; and the logarithm of the paper's scatter in units of the
  // usual one.
  enum {
    kPower,
    kBend,
    kWider,
    kWiderLying,
    kBlur,
    kBlurLying,
    kFlareShare,
    kScatter
  };
  static constexpr size_t kNumbers = kScatter + 1;
  using Numbers = std::array<double, kNumbers>;
  using Rows = std::vector<std::vector<double>>;

  static ScannerTone ToneOf(const Numbers& numbers) {
    return {numbers[kPower], numbers[kBend]};
  }
  struct Seen {
    RulingLight light{};
    RulingLight error{};  // by the position of pixels
  };
  Seen SeenOf(const Ruling& ruling, bool is_lying,
              const PatchLight& light) const;
  RulingLight Expected(const Ruling& ruling, bool is_lying,
                       const Numbers& numbers, double black) const;
  std::vector<double> Residuals(const Numbers& numbers) const;
  double Cost(const Numbers& numbers) const;
  void SetSlopes(const std::vector<double>& residuals);
  // Solves the normal equations for a right side, with damping.
  Numbers Solve(const Numbers& right, double damping) const;
  bool Approach();
  double Unexplained() const;
  double Unlikeness() const;

  const std::vector<PatchCodes>& patches_;
  const SheetScale scale_;
  Numbers numbers_{};
  std::vector<Numbers> slopes_;  // of the residuals
};

}  // namespace halftoned
