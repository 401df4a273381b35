// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/page/page_halftoner.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "halftone/look/edges/crisp_edges.h"
#include "print/page/gray_rows.h"
#include "print/page/gray_source.h"
#include "print/page/page_sink.h"

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

}  // namespace

// Raster of one bit is made for us or for a driver.
Result<RasterForm> PageHalftoner::FormOfPage(const PageHeader& header) const {
  return header.cupsBitsPerColor == 1 && settings_.takes_bits
             ? FormOfBits(header)
             : FormOf(header);
}

Result<RasterForm> PageHalftoner::CheckedForm(const PageHeader& header) const {
  HALFTONED_TRY_ASSIGN(const RasterForm form, FormOfPage(header));
  HALFTONED_TRY(CheckLength(header, form, settings_.max_page_length));
  return form;
}

Result<const Recipe*> PageHalftoner::RecipeFor(const PageHeader& header) {
  const DotsPerInch resolution{double(header.HWResolution[0]),
                               double(header.HWResolution[1])};
  if (!recipe_ || recipe_resolution_ != resolution) {
    HALFTONED_TRY_ASSIGN(recipe_, settings_.rendering.RecipeAt(
                                      resolution, settings_.is_black_solid));
    recipe_resolution_ = resolution;
  }
  return &*recipe_;
}

Result<void> PageHalftoner::Print(RasterInput& raster, PolledInput& input,
                                  const PageHeader& header, int64_t page,
                                  PageOutput& output) {
  HALFTONED_TRY_ASSIGN(const RasterForm form, CheckedForm(header));
  if (form.colours == Colours::kBits) {
    HALFTONED_TRY_ASSIGN(const OutputPage bits, OutputFor(header, form, page));
    return PrintBits(raster, form, bits, output);
  }
  HALFTONED_TRY_ASSIGN(const Recipe* recipe, RecipeFor(header));
  HALFTONED_TRY_ASSIGN(
      const auto session,
      engine_.Open({form.page, *recipe, {}, RowsPerBand(form)}));
  HALFTONED_TRY_ASSIGN(const OutputPage printed, OutputFor(header, form, page));
  HALFTONED_TRY(output.BeginPage(printed.header));
  raster.BeginPage(form);
  GraySource gray(raster, input, form);
  CrispEdges crisp(gray, form.page, *recipe,
                   settings_.rendering.look.text_edges);
  PageSink sink(output, printed.placement);
  HALFTONED_TRY(flow_.Run(crisp, *session, sink));
  return sink.Finish();
}

Result<void> PageHalftoner::PrintBits(RasterInput& raster,
                                      const RasterForm& form,
                                      const OutputPage& printed,
                                      PageOutput& output) const {
  if (printed.placement.bits_per_sample != 1) {
    return BadInput(
        "it has 1 bit per pixel, but the output has several levels");
  }
  HALFTONED_TRY(output.BeginPage(printed.header));
  raster.BeginPage(form);
  PageSink sink(output, printed.placement);
  const int64_t most_rows = RowsPerBand(form);
  std::vector<std::byte> rows(form.bytes_per_line *
                              static_cast<size_t>(most_rows));
  for (int64_t row = 0; row < form.rows; row += most_rows) {
    const int64_t count = std::min(most_rows, form.rows - row);
    const auto read =
        std::span(rows).first(form.bytes_per_line * static_cast<size_t>(count));
    HALFTONED_TRY(raster.ReadRows(read));
    BlackToLight(read);
    HALFTONED_TRY(sink.Write(
        {read.data(), form.bytes_per_line, static_cast<int32_t>(count), row}));
  }
  return sink.Finish();
}

Result<void> PageHalftoner::PrintWhite(const PageHeader& header, int64_t page,
                                       PageOutput& output) const {
  HALFTONED_TRY_ASSIGN(const RasterForm form, FormOfPage(header));
  HALFTONED_TRY_ASSIGN(const OutputPage printed, OutputFor(header, form, page));
  HALFTONED_TRY(output.BeginPage(printed.header));
  return PageSink(output, printed.placement).Finish();
}

Result<void> PageHalftoner::Drop(RasterInput& raster,
                                 const PageHeader& header) const {
  HALFTONED_TRY_ASSIGN(const RasterForm form, CheckedForm(header));
  raster.BeginPage(form);
  const int64_t rows_at_once = RowsPerBand(form);
  std::vector<std::byte> rows(form.bytes_per_line *
                              static_cast<size_t>(rows_at_once));
  for (int64_t row = 0; row < form.rows; row += rows_at_once) {
    const auto count =
        static_cast<size_t>(std::min(rows_at_once, form.rows - row));
    HALFTONED_TRY(
        raster.ReadRows(std::span(rows).first(form.bytes_per_line * count)));
  }
  return {};
}

Result<OutputPage> PageHalftoner::OutputFor(const PageHeader& header,
                                            const RasterForm& form,
                                            int64_t page) const {
  if (IsCupsRaster(settings_.format)) {
    return CupsPage(header, form,
                    Levels::ForCount(settings_.rendering.parts.levels));
  }
  const bool on_back = NumberIn(header.Duplex) != 0 && page % 2 == 0;
  return PwgPage(header, form, settings_.back_side, on_back);
}

}  // namespace halftoned
