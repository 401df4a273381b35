// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/picture_size.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/text.h"

namespace halftoned {
namespace {

// Removes a number above 0, without a sign or an exponent, from the start of
// `text`, and returns it.
std::optional<double> TakeLength(std::string_view& text) {
  const auto number = TakeNumber<double>(text, std::chars_format::fixed);
  return number > 0.0 && std::isfinite(*number) ? number : std::nullopt;
}

bool Take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

struct Unit {
  std::string_view name;
  double in_inches;  // 0: pixels
};
constexpr Unit kUnits[] = {
    {"mm", 1 / 25.4}, {"cm", 1 / 2.54}, {"in", 1}, {"px", 0}};

const Unit* TakeUnit(std::string_view& text) {
  for (const Unit& unit : kUnits) {
    if (Take(text, unit.name)) return &unit;
  }
  return nullptr;
}

// The shape of a page's pixels: how many pixels across are as long as how many
// down.
Resolution ShapeOf(const PageInfo& page) {
  return page.metadata.resolution.value_or(Resolution{1, 1, false});
}

// Width and height, not yet rounded.
using Sides = std::pair<double, double>;

// Sets the missing side by the proportion `shape`, width to height.
Sides SidesOf(const SizeWish& size, double shape) {
  return {size.width ? *size.width : *size.height * shape,
          size.height ? *size.height : *size.width / shape};
}

// The size of a picture of this shape in an output of this size.
Sides PictureIn(const Sides& output, double shape, Scaling scaling) {
  const auto [width, height] = output;
  switch (scaling) {
    case Scaling::kStretch:
      break;
    case Scaling::kFill:
      return {std::max(width, height * shape), std::max(height, width / shape)};
    case Scaling::kFit:
      return {std::min(width, height * shape), std::min(height, width / shape)};
  }
  return output;
}

Result<PixelSize> Rounded(const Sides& sides) {
  const auto [width, rows] = sides;
  // Also rejects values that are too large for an integer.
  if (width > Page::kMaxWidth + 0.5) {
    return BadInput("would be more than " + std::to_string(Page::kMaxWidth) +
                    " pixels wide; check --size and --dpi");
  }
  if (rows > double(Page::kMaxRows)) {
    return BadInput("would be more than " + std::to_string(Page::kMaxRows) +
                    " pixels high; check --size and --dpi");
  }
  return PixelSize{std::max<int64_t>(1, std::llround(width)),
                   std::max<int64_t>(1, std::llround(rows))};
}

Result<PictureSize> Checked(const Sides& output, const Sides& picture,
                            const std::optional<Resolution>& resolution) {
  HALFTONED_TRY_ASSIGN(const PixelSize output_size, Rounded(output));
  HALFTONED_TRY_ASSIGN(const PixelSize picture_size, Rounded(picture));
  return PictureSize{output_size, picture_size, resolution};
}

Result<PictureSize> InPixels(const PageInfo& page,
                             const std::optional<Resolution>& dpi,
                             const SizeWish& size, Scaling scaling) {
  const Resolution own = ShapeOf(page);
  const Resolution made = dpi.value_or(own);
  const auto old_width = static_cast<double>(page.page.width());
  const auto old_rows = static_cast<double>(page.rows);
  const double shape = old_width / own.x * made.x / (old_rows / own.y * made.y);
  const Sides output = SidesOf(size, shape);
  const Sides picture = PictureIn(output, shape, scaling);
  if (dpi || !page.metadata.resolution) return Checked(output, picture, dpi);
  // The picture keeps its size.
  return Checked(output, picture,
                 Resolution{own.x * picture.first / old_width,
                            own.y * picture.second / old_rows, own.has_unit});
}

}  // namespace

std::optional<Resolution> ParseResolution(std::string_view text) {
  const auto x = TakeLength(text);
  if (!x) return std::nullopt;
  auto y = x;
  if (Take(text, "x")) y = TakeLength(text);
  if (!y || !text.empty()) return std::nullopt;
  const auto [least, most] = std::minmax(*x, *y);
  if (least < kLeastResolution || most > kMostResolution) return std::nullopt;
  return Resolution{*x, *y};
}

std::optional<SizeWish> ParseSize(std::string_view given) {
  const std::string lower = LowerCase(given);
  std::string_view text = lower;
  SizeWish size;
  size.width = TakeLength(text);
  const Unit* first = size.width ? TakeUnit(text) : nullptr;
  const Unit* last = first;
  if (Take(text, "x") && !text.empty()) {
    size.height = TakeLength(text);
    last = size.height ? TakeUnit(text) : nullptr;
  }
  if (!last || !text.empty() || (first && first != last)) return std::nullopt;
  size.is_in_pixels = last->in_inches == 0;
  for (auto* side : {&size.width, &size.height}) {
    if (*side && !size.is_in_pixels) **side *= last->in_inches;
  }
  return size;
}

Result<PictureSize> SizeOf(const PageInfo& page,
                           const std::optional<Resolution>& dpi,
                           const std::optional<SizeWish>& size,
                           Scaling scaling) {
  const auto& own = page.metadata.resolution;
  if (!dpi && !size) {
    const PixelSize same{page.page.width(), page.rows};
    return PictureSize{same, same, own};
  }
  if (size && size->is_in_pixels) return InPixels(page, dpi, *size, scaling);
  const auto width = static_cast<double>(page.page.width());
  const auto rows = static_cast<double>(page.rows);
  if (!size) {
    if (!own || !own->has_unit) {
      return BadInput(
          "does not specify its size; add --size, such as --size "
          "100mm");
    }
    const Sides sides{width / own->x * dpi->x, rows / own->y * dpi->y};
    return Checked(sides, sides, dpi);
  }
  const Resolution pixel = ShapeOf(page);
  const double shape = width / pixel.x / (rows / pixel.y);
  const Sides inches = SidesOf(*size, shape);
  const Sides picture = PictureIn(inches, shape, scaling);
  return Checked({inches.first * dpi->x, inches.second * dpi->y},
                 {picture.first * dpi->x, picture.second * dpi->y}, dpi);
}

}  // namespace halftoned
