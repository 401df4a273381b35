// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/gray_pages.h"

namespace halftoned {
namespace {

constexpr size_t kLongestLine = 200;

}  // namespace

GrayPages::GrayPages(PolledInput& pages, int64_t width, int64_t rows)
    : bytes_(pages),
      width_(static_cast<size_t>(width)),
      size_(std::to_string(width) + " " + std::to_string(rows)) {}

// Empty at the end of the pipe.
Result<std::string> GrayPages::Line() {
  std::string line;
  std::byte next{};
  while (bytes_.Take(&next, 1)) {
    if (next == std::byte{'\n'}) return line;
    line += std::to_integer<char>(next);
    if (line.size() > kLongestLine) {
      return Bug("Ghostscript made something that is no page");
    }
  }
  if (bytes_.error() || !line.empty()) return bytes_.WhyShort();
  return line;
}

Result<bool> GrayPages::Next() {
  HALFTONED_TRY_ASSIGN(const std::string kind, Line());
  if (kind.empty()) return false;
  std::string size = "#";
  while (size.starts_with('#')) {
    HALFTONED_TRY_ASSIGN(size, Line());
  }
  bits_.resize(kind == "P4" ? (width_ + 7) / 8 : 0);
  std::string highest = "255";
  if (bits_.empty()) {
    HALFTONED_TRY_ASSIGN(highest, Line());
  }
  if ((bits_.empty() && kind != "P5") || size != size_ || highest != "255") {
    return Bug("Ghostscript made a page of another form");
  }
  return true;
}

Result<void> GrayPages::Read(std::span<std::byte> light) {
  if (bits_.empty()) {
    if (bytes_.Fill(light) < light.size()) return bytes_.WhyShort();
    return {};
  }
  for (size_t row = 0; row < light.size(); row += width_) {
    if (bytes_.Fill(bits_) < bits_.size()) return bytes_.WhyShort();
    for (size_t x = 0; x < width_; ++x) {
      const auto bit = bits_[x / 8] >> (7 - x % 8) & std::byte{1};
      light[row + x] = bit == std::byte{1} ? std::byte{0} : std::byte{255};
    }
  }
  return {};
}

}  // namespace halftoned
