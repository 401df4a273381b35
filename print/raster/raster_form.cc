// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/raster_form.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

namespace halftoned {
namespace {

std::string Number(uint64_t value) { return std::to_string(value); }

std::optional<Colours> ColoursOf(uint32_t space) {
  switch (space) {
    case CUPS_CSPACE_W:
    case CUPS_CSPACE_SW:
      return Colours::kLight;
    case CUPS_CSPACE_K:
      return Colours::kBlack;
    case CUPS_CSPACE_RGB:
    case CUPS_CSPACE_SRGB:
      return Colours::kRgb;
    case CUPS_CSPACE_CMY:
      return Colours::kCmy;
    case CUPS_CSPACE_CMYK:
      return Colours::kCmyk;
    default:
      return std::nullopt;
  }
}

Result<Colours> CheckColours(const PageHeader& header) {
  const auto colours = ColoursOf(NumberIn(header.cupsColorSpace));
  if (!colours) {
    return BadInput(
        "color space " + Number(NumberIn(header.cupsColorSpace)) +
        " is not supported, only W, sW, K, RGB, sRGB, CMY and CMYK");
  }
  const auto count = static_cast<uint32_t>(CountOf(*colours));
  if (header.cupsNumColors != count) {
    return BadInput(Number(header.cupsNumColors) +
                    " colors do not match a color space of " + Number(count));
  }
  switch (NumberIn(header.cupsColorOrder)) {
    case CUPS_ORDER_CHUNKED:
      return *colours;
    case CUPS_ORDER_BANDED:
    case CUPS_ORDER_PLANAR:
      // One color has the same layout in every order.
      if (count == 1) return *colours;
      return BadInput(
          "colors in bands or planes are not supported, only chunky ones");
    default:
      return BadInput("color order " + Number(NumberIn(header.cupsColorOrder)) +
                      " is not known");
  }
}

Result<void> CheckResolution(const PageHeader& header) {
  for (uint32_t dots : header.HWResolution) {
    if (dots < 1 || dots > RasterForm::kMaxDotsPerInch) {
      return BadInput("resolution " + Number(dots) + " is not in 1 … " +
                      Number(RasterForm::kMaxDotsPerInch) + " dpi");
    }
  }
  return {};
}

// A header may say 0 if a page is printed once.
Result<void> CheckCopies(const PageHeader& header) {
  if (header.NumCopies <= RasterForm::kMaxCopies) return {};
  return BadInput("the number of copies, " + Number(header.NumCopies) +
                  ", is not in 0 … " + Number(RasterForm::kMaxCopies));
}

template <size_t count>
bool AreFinite(const float (&numbers)[count]) {
  return std::all_of(std::begin(numbers), std::end(numbers),
                     [](float number) { return std::isfinite(number); });
}

// Drivers convert these to integers, which C++ does not define for other
// numbers.
Result<void> CheckNumbers(const PageHeader& header) {
  if (!AreFinite(header.cupsPageSize)) {
    return BadInput("the page size is not finite");
  }
  if (!AreFinite(header.cupsImagingBBox)) {
    return BadInput("the imaging box is not finite");
  }
  if (!std::isfinite(header.cupsBorderlessScalingFactor)) {
    return BadInput("the scaling factor is not finite");
  }
  return {};
}

template <size_t size>
bool Ends(const char (&text)[size]) {
  return std::memchr(text, 0, size) != nullptr;
}

// Later readers of the header treat these as C strings.
Result<void> CheckStrings(const PageHeader& header) {
  bool all = Ends(header.MediaClass) && Ends(header.MediaColor) &&
             Ends(header.MediaType) && Ends(header.OutputType) &&
             Ends(header.cupsMarkerType) && Ends(header.cupsRenderingIntent) &&
             Ends(header.cupsPageSizeName);
  for (const auto& text : header.cupsString) all = all && Ends(text);
  if (!all) return BadInput("a text field is not terminated");
  return {};
}

// Samples, pixels and rows must match exactly. The products are of numbers
// below 2³², in 64 bits.
Result<void> CheckSizes(const PageHeader& header, Colours colours) {
  const uint64_t bits_per_pixel = uint64_t{header.cupsBitsPerColor} *
                                  static_cast<uint64_t>(CountOf(colours));
  if (header.cupsBitsPerPixel != bits_per_pixel) {
    return BadInput(Number(header.cupsBitsPerPixel) +
                    " bits per pixel are not " + Number(bits_per_pixel));
  }
  const uint64_t bytes_per_line =
      uint64_t{header.cupsWidth} * bits_per_pixel / 8;
  if (header.cupsBytesPerLine != bytes_per_line) {
    return BadInput(Number(header.cupsBytesPerLine) +
                    " bytes per line are not " + Number(bytes_per_line));
  }
  if (header.cupsHeight < 1 || header.cupsHeight > RasterForm::kMaxRows) {
    return BadInput("height " + Number(header.cupsHeight) + " is not in 1 … " +
                    Number(RasterForm::kMaxRows));
  }
  return {};
}

}  // namespace

Result<RasterForm> FormOf(const PageHeader& header) {
  if (header.cupsBitsPerColor != 8 && header.cupsBitsPerColor != 16) {
    return BadInput(Number(header.cupsBitsPerColor) +
                    " bits per color are not supported, only 8 and 16");
  }
  HALFTONED_TRY_ASSIGN(
      const Page page,
      Page::Make(header.cupsWidth, static_cast<int>(header.cupsBitsPerColor)));
  HALFTONED_TRY_ASSIGN(const Colours colours, CheckColours(header));
  HALFTONED_TRY(CheckSizes(header, colours));
  HALFTONED_TRY(CheckResolution(header));
  HALFTONED_TRY(CheckCopies(header));
  HALFTONED_TRY(CheckNumbers(header));
  HALFTONED_TRY(CheckStrings(header));
  return RasterForm{page, header.cupsHeight, colours, header.cupsBytesPerLine};
}

Result<RasterForm> FormOfBits(const PageHeader& header) {
  const uint64_t bytes_per_line = (uint64_t{header.cupsWidth} + 7) / 8;
  if (header.cupsBitsPerColor != 1 || header.cupsBitsPerPixel != 1 ||
      NumberIn(header.cupsColorSpace) != CUPS_CSPACE_K ||
      header.cupsBytesPerLine != bytes_per_line) {
    return BadInput("it is not 1-bit black");
  }
  PageHeader gray = header;
  gray.cupsBitsPerColor = gray.cupsBitsPerPixel = 8;
  gray.cupsBytesPerLine = gray.cupsWidth;
  HALFTONED_TRY_ASSIGN(RasterForm form, FormOf(gray));
  form.colours = Colours::kBits;
  form.bytes_per_line = static_cast<size_t>(bytes_per_line);
  return form;
}

}  // namespace halftoned
