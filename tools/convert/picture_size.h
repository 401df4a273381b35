// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses --dpi, --size and --scaling, and computes the number of pixels of a
// page.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "print/image/image.h"

namespace halftoned {

// A width, a height or both, in pixels or in inches.
struct SizeWish {
  std::optional<double> width;
  std::optional<double> height;
  bool is_in_pixels = false;
};

//   resolution = number [ "x" number ]
// Pixels per inch across and down; nothing if the text is anything else.
std::optional<Resolution> ParseResolution(std::string_view text);
inline constexpr double kLeastResolution = 10;
inline constexpr double kMostResolution = 10000;

//   size   = length [ "x" [ length ] ] | "x" length
//   length = number [ unit ]
//   unit   = "mm" | "cm" | "in" | "px"
// The last length has a unit, and the first the same one. Nothing if the text
// is anything else.
std::optional<SizeWish> ParseSize(std::string_view text);

// How a picture is made to fit a width and a height: by changing its shape, by
// cropping it, or with margins.
enum class Scaling { kStretch, kFill, kFit };  // as --scaling lists them

struct PixelSize {
  int64_t width;
  int64_t rows;

  friend bool operator==(const PixelSize&, const PixelSize&) = default;
};

struct PictureSize {
  PixelSize output;
  PixelSize picture;  // before it is cropped or gets margins
  std::optional<Resolution> resolution;
};

// The output size of `page`. A side that is not given follows from the
// picture's shape.
Result<PictureSize> SizeOf(const PageInfo& page,
                           const std::optional<Resolution>& dpi,
                           const std::optional<SizeWish>& size,
                           Scaling scaling = Scaling::kStretch);

}  // namespace halftoned
