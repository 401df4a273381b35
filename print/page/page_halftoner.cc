// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/page/page_halftoner.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

#include "halftone/look/edges/crisp_edges.h"
#include "print/page/gray_rows.h"
#include "print/raster/placement.h"

namespace halftoned {
namespace {

// The rows of one raster page as gray light, for the flow. Gray is read
// directly into the room that the session lends, colors through a buffer.
class GraySource : public Source {
 public:
  // Reads the page of `form` from `raster`, which fetches from `input`; both
  // outlive it.
  GraySource(RasterInput& raster, PolledInput& input, const RasterForm& form)
      : raster_(raster), input_(input), form_(form), rows_left_(form.rows) {}

  Result<Filled> Read(GrayRoom room) override;
  void Cancel() override { input_.Cancel(); }

 private:
  Result<void> ReadGray(GrayRoom room);
  Result<void> ReadColour(GrayRoom room);

  RasterInput& raster_;
  PolledInput& input_;
  const RasterForm form_;
  int64_t rows_left_;
  std::vector<std::byte> line_;  // one raster row with colors
};

Result<Filled> GraySource::Read(GrayRoom room) {
  room.rows = static_cast<int32_t>(std::min<int64_t>(room.rows, rows_left_));
  const Result<void> read =
      CountOf(form_.colours) == 1 ? ReadGray(room) : ReadColour(room);
  if (!read.ok()) return read.error();
  rows_left_ -= room.rows;
  return Filled{room.rows, rows_left_ == 0};
}

Result<void> GraySource::ReadGray(GrayRoom room) {
  const size_t row_bytes = form_.bytes_per_line;
  // One call reads all rows if the rows of the room are contiguous.
  const int32_t rows_at_once = room.bytes_per_row == row_bytes ? room.rows : 1;
  for (int32_t i = 0; i < room.rows; i += rows_at_once) {
    const std::span<std::byte> rows(
        room.row(i), row_bytes * static_cast<size_t>(rows_at_once));
    HALFTONED_TRY(raster_.ReadRows(rows));
    if (form_.colours == Colours::kBlack) BlackToLight(rows);
  }
  return {};
}

Result<void> GraySource::ReadColour(GrayRoom room) {
  line_.resize(form_.bytes_per_line);
  for (int32_t i = 0; i < room.rows; ++i) {
    HALFTONED_TRY(raster_.ReadRows(line_));
    ColourToLight(form_, line_.data(), room.row(i));
  }
  return {};
}

// The end of the flow: places halftoned rows on the page, converts them to ink
// and writes them.
class PageSink : public Sink {
 public:
  // Precondition: the page has been begun in `output`, which outlives this.
  PageSink(PageOutput& output, const Placement& placement)
      : output_(output), placement_(placement) {}

  Result<void> Write(const BitBand& bits) override;

  // Writes the paper below the last row.
  Result<void> Finish();

 private:
  // Writes white rows up to `row` of the output page.
  Result<void> PadTo(int64_t row);

  PageOutput& output_;
  const Placement placement_;
  int64_t written_ = 0;         // rows of the output page
  std::vector<std::byte> ink_;  // of a band
};

Result<void> PageSink::Write(const BitBand& bits) {
  // Only the rows of this band that lie on the page.
  const int64_t top = bits.first_row + placement_.top;
  const int64_t first = std::max<int64_t>(top, 0);
  const int64_t end = std::min(top + bits.rows, placement_.rows_out);
  if (first < end) {
    HALFTONED_TRY(PadTo(first));
    const size_t bytes_per_row = placement_.bytes_per_row_out();
    ink_.resize(bytes_per_row * static_cast<size_t>(end - first));
    std::byte* ink = ink_.data();
    for (int64_t row = first; row < end; ++row, ink += bytes_per_row) {
      PlaceRow(placement_, bits.row(static_cast<int32_t>(row - top)), ink);
    }
    HALFTONED_TRY(output_.WriteRows(ink_));
    written_ = end;
  }
  return {};
}

Result<void> PageSink::Finish() { return PadTo(placement_.rows_out); }

Result<void> PageSink::PadTo(int64_t row) {
  constexpr size_t kBytesAtOnce = size_t{256} << 10;
  if (written_ >= row) return {};
  const size_t bytes_per_row = placement_.bytes_per_row_out();
  const auto rows_at_once =
      static_cast<int64_t>(std::max<size_t>(kBytesAtOnce / bytes_per_row, 1));
  const std::vector<std::byte> white(
      bytes_per_row *
      static_cast<size_t>(std::min(rows_at_once, row - written_)));
  while (written_ < row) {
    const int64_t rows = std::min(rows_at_once, row - written_);
    HALFTONED_TRY(output_.WriteRows(
        std::span(white).first(bytes_per_row * static_cast<size_t>(rows))));
    written_ += rows;
  }
  return {};
}

// Enough for whole strips of every engine on pages of any width, if memory
// allows, but no more rows than the page has. Not more, because in a process
// that prints one page, the first touch of memory takes a good part of the time
// for halftoning.
int32_t RowsPerBand(const RasterForm& form) {
  constexpr size_t kBytesPerBand = size_t{4} << 20;
  auto rows = static_cast<int64_t>(
      std::max<size_t>(kBytesPerBand / form.page.gray_bytes_per_row(), 1));
  if (rows > 64 && rows < 128) rows = 64;
  return static_cast<int32_t>(std::min({rows, form.rows, int64_t{128}}));
}

// Compressed rows take almost no space in a raster, so the page's stated length
// is limited, and with it time and paper.
Result<void> CheckLength(const PageHeader& header, int64_t rows,
                         double max_metres) {
  const double metres =
      0.0254 * static_cast<double>(rows) / header.HWResolution[1];
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
  HALFTONED_TRY(CheckLength(header, form.rows, settings_.max_page_length));
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
  HALFTONED_TRY_ASSIGN(const OutputPage sheet,
                       PwgPage(header, form, settings_.back_side, on_back));
  HALFTONED_TRY(
      CheckLength(header, sheet.placement.rows_out, settings_.max_page_length));
  return sheet;
}

}  // namespace halftoned
