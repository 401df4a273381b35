// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/job.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "filter/gray_source.h"
#include "filter/page_sink.h"
#include "halftone/look/crisp_edges.h"

namespace halftoned {
namespace {

// Whole strips of every engine, if memory allows, on pages of any width, and no
// room for rows that a small page does not have. Not more: in a process that
// prints one page, the first touch of memory costs a good part of the
// halftoning.
int32_t RowsPerBand(const RasterForm& form) {
  constexpr size_t kBytesPerBand = size_t{4} << 20;
  auto rows = static_cast<int64_t>(
      std::max<size_t>(kBytesPerBand / form.page.gray_bytes_per_row(), 1));
  if (rows > 64 && rows < 128) rows = 64;
  return static_cast<int32_t>(std::min({rows, form.rows, int64_t{128}}));
}

// Compressed rows cost a raster next to nothing; so time and paper are bounded
// by what the page says of its length.
Result<void> CheckLength(const PageHeader& header, const RasterForm& form,
                         double max_metres) {
  const double metres =
      0.0254 * static_cast<double>(form.rows) / header.HWResolution[1];
  if (metres <= max_metres) return {};
  char text[128];
  std::snprintf(text, sizeof(text),
                "it is %.6g m long, and max-page-length of halftoned.conf is "
                "%.6g m",
                metres, max_metres);
  return BadInput(text);
}

Error OnPage(int64_t page, const Error& error) {
  // An error of the whole job does not name a page.
  if (error.code == ErrorCode::kIo) return error;
  return {error.code, "page " + std::to_string(page) + ": " + error.message};
}

}  // namespace

Result<void> Job::Print(PolledInput& input) {
  HALFTONED_TRY_ASSIGN(RasterInput raster, RasterInput::Open(input));
  HALFTONED_TRY(FinishSheet());
  page_of_copy_ = 0;
  for (;;) {
    ++page_;
    const auto header = raster.NextHeader();
    if (!header.ok()) return OnPage(page_, header.error());
    if (!*header) {
      --page_;
      if (page_of_copy_ == 0)
        return BadInput("there is nothing to print: the raster has no page");
      return {};
    }
    ++page_of_copy_;
    const Result<void> printed = PrintPage(raster, input, **header);
    if (!printed.ok()) return OnPage(page_, printed.error());
  }
}

Result<const Recipe*> Job::RecipeFor(const PageHeader& header) {
  const double dots_per_inch =
      (double(header.HWResolution[0]) + double(header.HWResolution[1])) / 2;
  if (!recipe_ || recipe_dots_per_inch_ != dots_per_inch) {
    HALFTONED_TRY_ASSIGN(recipe_, settings_.rendering.RecipeAt(dots_per_inch));
    recipe_dots_per_inch_ = dots_per_inch;
  }
  return &*recipe_;
}

Result<void> Job::PrintPage(RasterInput& raster, PolledInput& input,
                            const PageHeader& header) {
  HALFTONED_TRY_ASSIGN(const RasterForm form, FormOf(header));
  HALFTONED_TRY(CheckLength(header, form, settings_.max_page_length));
  HALFTONED_TRY_ASSIGN(const Recipe* recipe, RecipeFor(header));
  HALFTONED_TRY_ASSIGN(
      const auto session,
      engine_.Open({form.page, *recipe, {}, RowsPerBand(form)}));
  HALFTONED_TRY_ASSIGN(const OutputPage page, BeginPage(header, form));
  last_header_ = header;
  progress_ = 0;
  raster.BeginPage(form);
  GraySource gray(raster, input, form);
  CrispEdges crisp(gray, form.page, recipe->curve(),
                   settings_.rendering.look.text_edges);
  PageSink sink(output_, page.placement,
                [&](int64_t rows) { Report(rows, form.rows); });
  HALFTONED_TRY(flow_.Run(crisp, *session, sink));
  return sink.Finish();
}

Result<void> Job::FinishSheet() {
  if (page_of_copy_ % 2 == 0 || NumberIn(last_header_.Duplex) == 0) return {};
  ++page_;
  ++page_of_copy_;
  HALFTONED_TRY_ASSIGN(const RasterForm form, FormOf(last_header_));
  HALFTONED_TRY_ASSIGN(const OutputPage page, BeginPage(last_header_, form));
  return PageSink(output_, page.placement, {}).Finish();
}

Result<OutputPage> Job::BeginPage(const PageHeader& header,
                                  const RasterForm& form) {
  HALFTONED_TRY_ASSIGN(OutputPage page, OutputFor(header, form));
  if (settings_.is_last) messages_.Page(page_, header.NumCopies);
  HALFTONED_TRY(output_.BeginPage(page.header));
  return page;
}

Result<OutputPage> Job::OutputFor(const PageHeader& header,
                                  const RasterForm& form) const {
  if (settings_.format == RasterFormat::kCups) {
    return CupsPage(header, form,
                    Levels::ForCount(settings_.rendering.parts.levels));
  }
  const bool on_back = NumberIn(header.Duplex) != 0 && page_of_copy_ % 2 == 0;
  return PwgPage(header, form, settings_.back_side, on_back);
}

void Job::Report(int64_t rows, int64_t of_rows) {
  const auto percent = static_cast<int>(100 * rows / of_rows);
  // More often than anybody looks would only cost cupsd time. A page of one
  // band is over before the message could be read.
  constexpr int kStep = 5;
  if (percent < progress_ + kStep || percent == 100) return;
  progress_ = percent;
  messages_.Progress(percent);
}

}  // namespace halftoned
