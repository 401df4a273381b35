// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/gray_rows.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "halftone/luminance.h"

namespace halftoned {
namespace {

template <typename Sample, Colours colours>
Sample LightOf(const std::array<Sample, CountOf(colours)>& pixel) {
  constexpr uint32_t kTop = static_cast<Sample>(-1);
  if constexpr (colours == Colours::kRgb) {
    return static_cast<Sample>(Luma(pixel[0], pixel[1], pixel[2]));
  } else if constexpr (colours == Colours::kCmy) {
    return static_cast<Sample>(
        LumaOfInks(pixel[0], pixel[1], pixel[2], 0, kTop));
  } else {
    return static_cast<Sample>(
        LumaOfInks(pixel[0], pixel[1], pixel[2], pixel[3], kTop));
  }
}

template <typename Sample, Colours colours>
void ConvertRow(const std::byte* row, std::byte* gray, int32_t width) {
  std::array<Sample, CountOf(colours)> pixel;
  for (int32_t j = 0; j < width; ++j) {
    std::memcpy(pixel.data(), row, sizeof(pixel));
    const Sample light = LightOf<Sample, colours>(pixel);
    std::memcpy(gray, &light, sizeof(light));
    row += sizeof(pixel);
    gray += sizeof(light);
  }
}

template <typename Sample>
void ConvertRow(const RasterForm& form, const std::byte* row, std::byte* gray) {
  const int32_t width = form.page.width();
  switch (form.colours) {
    case Colours::kRgb:
      return ConvertRow<Sample, Colours::kRgb>(row, gray, width);
    case Colours::kCmy:
      return ConvertRow<Sample, Colours::kCmy>(row, gray, width);
    case Colours::kCmyk:
      return ConvertRow<Sample, Colours::kCmyk>(row, gray, width);
    case Colours::kLight:
    case Colours::kBlack:
      return;  // one colour: not for here
  }
}

}  // namespace

void BlackToLight(std::span<std::byte> samples) {
  // 255 − a and 65535 − a are both the complement of every byte.
  for (std::byte& b : samples) b = ~b;
}

void ColourToLight(const RasterForm& form, const std::byte* row,
                   std::byte* gray) {
  if (form.page.depth() == Depth::k8) {
    ConvertRow<uint8_t>(form, row, gray);
  } else {
    ConvertRow<uint16_t>(form, row, gray);
  }
}

}  // namespace halftoned
