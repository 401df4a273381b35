// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/pnm_pages.h"

namespace halftoned {
namespace {

constexpr size_t kLongestLine = 200;

}  // namespace

PnmPages::PnmPages(PolledInput& pages, int64_t width, int64_t rows)
    : bytes_(pages),
      width_(static_cast<size_t>(width)),
      size_(std::to_string(width) + " " + std::to_string(rows)) {}

// Empty at the end of the pipe.
Result<std::string> PnmPages::Line() {
  std::string line;
  std::byte next{};
  while (bytes_.Take(&next, 1)) {
    if (next == std::byte{'\n'}) return line;
    line += std::to_integer<char>(next);
    if (line.size() > kLongestLine) {
      return Bug("Ghostscript's output is not a page");
    }
  }
  if (bytes_.error() || !line.empty()) return bytes_.WhyShort();
  return line;
}

Result<bool> PnmPages::Next() {
  HALFTONED_TRY_ASSIGN(const std::string kind, Line());
  if (kind.empty()) return false;
  std::string size = "#";
  while (size.starts_with('#')) {
    HALFTONED_TRY_ASSIGN(size, Line());
  }
  is_ink_ = kind == "P4";
  std::string highest = "255";
  if (!is_ink_) {
    HALFTONED_TRY_ASSIGN(highest, Line());
  }
  if ((!is_ink_ && kind != "P5") || size != size_ || highest != "255") {
    return Bug("Ghostscript made a page of the wrong form");
  }
  return true;
}

Result<void> PnmPages::Read(std::span<std::byte> rows) {
  if (bytes_.Fill(rows) < rows.size()) return bytes_.WhyShort();
  if (const size_t rest = width_ % 8; is_ink_ && rest > 0) {
    const auto used = static_cast<std::byte>(0xff00 >> rest);
    const size_t row_bytes = bytes_per_row();
    for (size_t end = row_bytes; end <= rows.size(); end += row_bytes) {
      rows[end - 1] &= used;
    }
  }
  return {};
}

}  // namespace halftoned
