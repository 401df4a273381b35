// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/page/gray_rows.h"

#include <cstdint>

#include "halftone/look/gray/luma_row.h"

namespace halftoned {
namespace {

ColourModel ModelOf(Colours colours) {
  return colours == Colours::kRgb   ? ColourModel::kRgb
         : colours == Colours::kCmy ? ColourModel::kCmy
                                    : ColourModel::kCmyk;
}

template <typename Sample>
void ConvertRow(const RasterForm& form, const std::byte* row, std::byte* gray) {
  LumaOfPixels(ModelOf(form.colours), reinterpret_cast<const Sample*>(row),
               static_cast<size_t>(CountOf(form.colours)),
               static_cast<size_t>(form.page.width()),
               reinterpret_cast<Sample*>(gray));
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
