// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/sheet_lane.h"

#include <fcntl.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "file/input_file.h"
#include "image/pnm_reader.h"

namespace halftoned {
namespace {

constexpr int32_t kRowsAtOnce = 32;
constexpr size_t kInkAtOnce = size_t{1} << 16;

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
      auto renderer,
      renderers_.Start({.document = document.get(),
                        .device = is_black ? "pbmraw" : "pgmraw",
                        .dots_across = form_.dots_per_inch,
                        .dots_down = form_.dots_per_inch,
                        .pages = list.text,
                        .pixels = {{form_.width, form_.rows}}}));
  HALFTONED_TRY_ASSIGN(InputFile pages,
                       InputFile::FromDescriptor(renderer->TakePages()));
  const auto image = OpenPnm(pages);
  const Result<void> printed = PrintPages(list, *image);
  // What ended it says more than that there are no more rows.
  HALFTONED_TRY(renderer->EndOf(pages.fd()));
  return printed;
}

Result<void> SheetLane::PrintPages(const PageShares::List& list,
                                   ImageReader& image) {
  for (size_t i = 0; i < list.pages.size(); ++i) {
    HALFTONED_TRY_ASSIGN(const auto page, image.Next());
    if (!page) return IoError("Ghostscript left out pages");
    HALFTONED_TRY(PrintPage(*page));
  }
  HALFTONED_TRY_ASSIGN(const auto more, image.Next());
  if (more) return Bug("Ghostscript made a page too many");
  return {};
}

Result<void> SheetLane::PrintPage(PageReader& page) {
  const PageInfo& info = page.info();
  if (info.page.width() != form_.width || info.rows != form_.rows ||
      info.page.depth() != Depth::k8) {
    return Bug("Ghostscript made a page of another size");
  }
  HALFTONED_TRY(queue_.BeginPage({}));
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
  const size_t row_bytes = info.page.gray_bytes_per_row();
  std::vector<std::byte> rows(row_bytes * kRowsAtOnce);
  for (int64_t left = info.rows; left > 0;) {
    const auto wanted =
        static_cast<int32_t>(std::min<int64_t>(left, kRowsAtOnce));
    HALFTONED_TRY_ASSIGN(const Filled filled,
                         page.Read({rows.data(), row_bytes, wanted}));
    for (int32_t i = 0; i < filled.rows; ++i) {
      HALFTONED_TRY(gray->Write(
          reinterpret_cast<const uint8_t*>(rows.data()) + row_bytes * size_t(i),
          false));
    }
    left -= filled.rows;
    if (ink_.bytes.size() >= kInkAtOnce) HALFTONED_TRY(Flush());
  }
  HALFTONED_TRY(gray->Finish());
  return Flush();
}

Result<void> SheetLane::Flush() {
  if (ink_.count == 0) return {};
  return queue_.PutRows(std::exchange(ink_, {}));
}

}  // namespace halftoned
