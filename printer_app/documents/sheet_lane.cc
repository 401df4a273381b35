// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/sheet_lane.h"

#include <fcntl.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace halftoned {
namespace {

// Ghostscript draws pages of up to 128 MiB whole, as CUPS has it do; others in
// bands, for each of which it goes through the page again.
constexpr const char* kWholePages[] = {"-dMaxBitmap=134217728"};

// Half of what the pipe holds.
constexpr size_t kGrayAtOnce = size_t{1} << 19;
constexpr size_t kInkAtOnce = size_t{1} << 16;

int64_t RowsAtOnce(size_t row_bytes) {
  return static_cast<int64_t>(std::max<size_t>(1, kGrayAtOnce / row_bytes));
}

}  // namespace

SheetLane::SheetLane(const SheetForm& form, Renderers& renderers,
                     JobEngines& engines, std::vector<PageShares::List> lists,
                     size_t most_bytes)
    : form_(form),
      renderers_(renderers),
      engines_(engines),
      lists_(std::move(lists)),
      queue_(most_bytes),
      thread_(&SheetLane::Work, this) {}

SheetLane::~SheetLane() {
  queue_.Close();
  thread_.join();
}

void SheetLane::Work() {
  Result<void> printed;
  try {
    for (const PageShares::List& list : lists_) {
      if (printed.ok()) printed = PrintList(list);
    }
  } catch (const std::exception&) {
    printed = IoError("there is not enough memory");
  }
  queue_.End(std::move(printed));
}

Result<void> SheetLane::PrintList(const PageShares::List& list) {
  HALFTONED_TRY_ASSIGN(const Descriptor document,
                       Descriptor::Open(form_.document, O_RDONLY));
  const bool is_black = list.ink == PageInk::kBlack;
  HALFTONED_TRY_ASSIGN(
      auto renderer, renderers_.Start({.document = document.get(),
                                       .device = is_black ? "pbmraw" : "pgmraw",
                                       .dots_across = form_.dots_per_inch,
                                       .dots_down = form_.dots_per_inch,
                                       .pages = list.text,
                                       .pixels = {{form_.width, form_.rows}},
                                       .device_options = kWholePages}));
  const Descriptor pipe = renderer->TakePages();
  HALFTONED_TRY_ASSIGN(PolledInput input,
                       PolledInput::Make(pipe.get(), renderers_.cancelled()));
  PnmPages pages(input, form_.width, form_.rows);
  const Result<void> printed = PrintPages(list, pages);
  // What ended it says more than that there are no more rows.
  HALFTONED_TRY(renderer->EndOf(pipe.get()));
  return printed;
}

Result<void> SheetLane::PrintPages(const PageShares::List& list,
                                   PnmPages& pages) {
  for (size_t i = 0; i < list.pages.size(); ++i) {
    HALFTONED_TRY_ASSIGN(const bool is_there, pages.Next());
    if (!is_there) return IoError("Ghostscript left out pages");
    HALFTONED_TRY(PrintPage(pages));
  }
  HALFTONED_TRY_ASSIGN(const bool has_more, pages.Next());
  if (has_more) return Bug("Ghostscript made a page too many");
  return {};
}

Result<void> SheetLane::PrintPage(PnmPages& pages) {
  HALFTONED_TRY(queue_.BeginPage({}));
  return pages.is_ink() ? PrintInk(pages) : PrintGray(pages);
}

Result<void> SheetLane::PrintGray(PnmPages& pages) {
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
    if (ink_.bytes.size() >= kInkAtOnce) HALFTONED_TRY(Flush());
  }
  HALFTONED_TRY(gray->Finish());
  return Flush();
}

Result<void> SheetLane::PrintInk(PnmPages& pages) {
  const size_t row_bytes = pages.bytes_per_row();
  for (int64_t left = form_.rows; left > 0; left -= ink_.count) {
    HALFTONED_TRY(Flush());
    ink_.count = std::min(left, RowsAtOnce(row_bytes));
    ink_.bytes.resize(row_bytes * static_cast<size_t>(ink_.count));
    HALFTONED_TRY(pages.Read(ink_.bytes));
  }
  return Flush();
}

Result<void> SheetLane::Flush() {
  if (ink_.count == 0) return {};
  return queue_.PutRows(std::exchange(ink_, {}));
}

}  // namespace halftoned
