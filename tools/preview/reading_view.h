// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A print as an eye sees it at reading distance: light blurred as by the eye,
// reduced to the pixels of a screen, and encoded as sRGB. Paper is 255, and
// solid black is 50, which has the same light on a screen.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "calibrate/sheet/gray_picture.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

// The sRGB code, 0 … 255, for a light of 0 … 1.
uint8_t CodeOfLight(double light);

// The light of a print whose tones differ from those of its model: `tones` maps
// light between solid black and paper.
double LightThrough(const ToneCurve& tones, double light);

class ReadingView {
 public:
  static constexpr double kDistance = 380;      // millimeters
  static constexpr double kPixelsOfInch = 150;  // pixels of the screen per inch

  // parts_across, parts_down: size of the page in parts of dots.
  // across_per_inch, down_per_inch: parts per inch. tones: as in LightThrough.
  ReadingView(size_t parts_across, size_t parts_down, double across_per_inch,
              double down_per_inch, const ToneCurve& tones);

  // The width or height of the view, for a width or height of the page.
  static int PixelsOf(size_t parts, double per_inch);

  // Adds the next row of parts. light: of each part; paper is 1.
  void Add(std::span<const float> light);

  // The view. Call it after the last row.
  GrayPicture Picture() const;

 private:
  // The weights of a line of parts in a pixel. Beyond the line there is paper.
  struct Pixel {
    size_t first;
    std::vector<float> weights;
    float paper;  // the weight of the paper beyond the line
  };
  static std::vector<Pixel> PixelsAlong(size_t parts, double per_inch);

  const std::vector<Pixel> across_;
  const std::vector<Pixel> down_;
  const ToneCurve tones_;
  size_t row_ = 0;
  size_t first_down_ = 0;  // the first pixel that sees row_ or later ones
  std::vector<float> seen_across_;
  std::vector<float> seen_;  // row by row
};

}  // namespace halftoned
