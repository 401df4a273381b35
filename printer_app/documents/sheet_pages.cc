// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/sheet_pages.h"

#include <algorithm>
#include <utility>

#include "print/render/drawing.h"

namespace halftoned {
namespace {

constexpr size_t kLongestLine = 200;

// Half of what the pipe holds.
constexpr size_t kGrayAtOnce = size_t{1} << 19;
constexpr size_t kInkAtOnce = size_t{1} << 16;

int64_t RowsAtOnce(size_t row_bytes) {
  return static_cast<int64_t>(std::max<size_t>(1, kGrayAtOnce / row_bytes));
}

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

LaneOrder OrderFor(const SheetForm& form, int document,
                   const std::string& folder, const MessageLog& warn) {
  const auto by = [&](const char* device) -> GhostscriptOrder {
    std::vector<std::string> words =
        WordsFor({.device = device,
                  .dots_across = form.dots_per_inch,
                  .dots_down = form.dots_per_inch,
                  .pixels = {{form.width, form.rows}}});
    words.push_back("-dMaxBitmap=" + std::to_string(kMostOfWholePage));
    return {document, folder, std::move(words), {}, warn};
  };
  return {by("pgmraw"), by("pbmraw"), "", ""};
}

Result<void> SheetPages::Print(const PageShares::List& list, PolledInput& drawn,
                               PageQueue& queue) {
  PnmPages pages(drawn, form_.width, form_.rows);
  for (size_t i = 0; i < list.pages.size(); ++i) {
    HALFTONED_TRY_ASSIGN(const bool is_there, pages.Next());
    if (!is_there) return IoError("Ghostscript omitted pages");
    HALFTONED_TRY(queue.BeginPage({}));
    HALFTONED_TRY(pages.is_ink() ? PrintInk(pages, queue)
                                 : PrintGray(pages, queue));
  }
  HALFTONED_TRY_ASSIGN(const bool has_more, pages.Next());
  if (has_more) return Bug("Ghostscript made one page too many");
  return {};
}

Result<void> SheetPages::PrintGray(PnmPages& pages, PageQueue& queue) {
  HALFTONED_TRY_ASSIGN(
      const auto gray,
      GrayPage::Open(engines_, form_.look, static_cast<int>(form_.width),
                     {form_.dots_per_inch, form_.dots_per_inch}, true,
                     [this](std::span<const uint8_t> ink) {
                       const auto bytes = std::as_bytes(ink);
                       ink_.bytes.insert(ink_.bytes.end(), bytes.begin(),
                                         bytes.end());
                       ++ink_.count;
                     }));
  const size_t row_bytes = pages.bytes_per_row();
  std::vector<std::byte> rows(row_bytes *
                              static_cast<size_t>(RowsAtOnce(row_bytes)));
  for (int64_t left = form_.rows; left > 0;) {
    const int64_t count = std::min(left, RowsAtOnce(row_bytes));
    const auto some =
        std::span(rows).first(row_bytes * static_cast<size_t>(count));
    HALFTONED_TRY(pages.Read(some));
    for (size_t at = 0; at < some.size(); at += row_bytes) {
      HALFTONED_TRY(
          gray->Write(reinterpret_cast<const uint8_t*>(&some[at]), false));
    }
    left -= count;
    if (ink_.bytes.size() >= kInkAtOnce) HALFTONED_TRY(Flush(queue));
  }
  HALFTONED_TRY(gray->Finish());
  return Flush(queue);
}

Result<void> SheetPages::PrintInk(PnmPages& pages, PageQueue& queue) {
  const size_t row_bytes = pages.bytes_per_row();
  for (int64_t left = form_.rows; left > 0; left -= ink_.count) {
    HALFTONED_TRY(Flush(queue));
    ink_.count = std::min(left, RowsAtOnce(row_bytes));
    ink_.bytes.resize(row_bytes * static_cast<size_t>(ink_.count));
    HALFTONED_TRY(pages.Read(ink_.bytes));
  }
  return Flush(queue);
}

Result<void> SheetPages::Flush(PageQueue& queue) {
  if (ink_.count == 0) return {};
  return queue.PutRows(std::exchange(ink_, {}));
}

}  // namespace halftoned
