// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/picture_job.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "print/file/input_file.h"
#include "print/image/orientation.h"
#include "print/image/scale/scaled_page.h"
#include "printer_app/application.h"
#include "printer_app/documents/job_paper.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/print_options.h"
#include "printer_app/jobs/raster_job.h"
#include "printer_app/pictures/open_picture.h"
#include "printer_app/pictures/placed_rows.h"
#include "printer_app/pictures/rows_ahead.h"

namespace halftoned {
namespace {

constexpr double kPointsOfInch = 72;
// PAPPL's, for pictures that state none and are not to be scaled.
constexpr double kUsualDotsPerInch = 200;

// The size that the picture says it has, in points. A picture without a size,
// or larger than the margins allow, is fitted between them.
Extent SizeOf(const PageInfo& picture, const SheetPaper& paper, PageFit& fit) {
  const auto& said = picture.metadata.resolution;
  const Resolution dpi =
      said && said->has_unit
          ? *said
          : Resolution{kUsualDotsPerInch,
                       kUsualDotsPerInch * (said ? said->y / said->x : 1)};
  const Extent size{double(picture.page.width()) / dpi.x * kPointsOfInch,
                    double(picture.rows) / dpi.y * kPointsOfInch};
  if (fit != PageFit::kAuto && fit != PageFit::kAutoFit) return size;
  const auto [room_least, room_most] =
      std::minmax({paper.printable().width, paper.printable().height});
  const auto [least, most] = std::minmax({size.width, size.height});
  const bool fits =
      said && said->has_unit && least <= room_least && most <= room_most;
  if (!fits) {
    fit = fit == PageFit::kAuto && !paper.has_margins() ? PageFit::kFill
                                                        : PageFit::kFit;
  }
  return size;
}

Orientation OrientationFor(int turns) {
  switch (turns) {
    case 0:
      return {};
    case 1:
      return {.transpose = true, .mirror_y = true};
    case 2:
      return {.mirror_x = true, .mirror_y = true};
    default:
      return {.transpose = true, .mirror_x = true};
  }
}

struct Sheet {
  std::unique_ptr<PageReader> picture;  // turned and scaled
  int64_t left;                         // in dots; may be negative
  int64_t top;
};

Result<Sheet> SheetOf(std::unique_ptr<PageReader> picture,
                      const pappl_pr_options_t& options, Pool& pool) {
  const SheetPaper paper = PaperOf(options);
  PageFit fit = FitOf(options);
  const Extent size = SizeOf(picture->info(), paper, fit);
  const SheetPlace placed = Place(size, paper, fit, TurnsOf(options));
  HALFTONED_TRY_ASSIGN(
      picture, Orient(std::move(picture), OrientationFor(placed.turns)));
  const auto dots = [&](double points) {
    return static_cast<int64_t>(std::llround(points / paper.dot));
  };
  const int64_t width = std::max<int64_t>(1, dots(placed.size.width));
  const int64_t rows = std::max<int64_t>(1, dots(placed.size.height));
  if (width > Page::kMaxWidth || rows > Page::kMaxRows) {
    return BadInput("the picture would be too large");
  }
  Sheet sheet{nullptr, dots(placed.left), dots(placed.top)};
  auto scaled = Scale(std::move(picture), width, rows, pool);
  if (!scaled.ok()) {
    return BadInput(scaled.error().message + "; " +
                    std::string(kPictureRemedy));
  }
  sheet.picture = std::move(*scaled);
  return sheet;
}

// A copy. False: the log says why it failed.
Result<bool> PrintCopy(pappl_job_t* job, pappl_device_t* device,
                       pappl_pr_options_t& options,
                       const pappl_pr_driver_data_t& driver, Pool& pool) {
  const char* path = papplJobGetFilename(job);
  if (!path) return IoError("the document is gone");
  HALFTONED_TRY_ASSIGN(InputFile file, InputFile::Open(DocumentOf(path)));
  file.EndWhen([job] { return papplJobIsCanceled(job); });
  HALFTONED_TRY_ASSIGN(const auto image, OpenPicture(file));
  HALFTONED_TRY_ASSIGN(auto picture, image->Next());
  if (!picture) return BadInput("there is no picture in the file");
  HALFTONED_TRY_ASSIGN(const Sheet sheet,
                       SheetOf(std::move(picture), options, pool));
  if (!driver.rstartpage_cb(job, &options, device, 1)) return false;
  const cups_page_header2_t& header = options.header;
  PlacedRows placed(*sheet.picture, header.cupsWidth, sheet.left, sheet.top);
  RowsAhead rows(placed, header.cupsWidth, header.cupsHeight);
  Result<void> read;
  for (unsigned y = 0; y < header.cupsHeight; ++y) {
    if (papplJobIsCanceled(job)) break;
    auto row = rows.Next();
    if (!row.ok()) {
      read = row.error();
      break;
    }
    if (!driver.rwriteline_cb(job, &options, device, y, *row)) break;
  }
  if (!read.ok()) CutPage(job);
  const bool is_ended = driver.rendpage_cb(job, &options, device, 1);
  HALFTONED_TRY(read);
  if (is_ended) papplJobSetImpressionsCompleted(job, 1);
  return is_ended;
}

Result<bool> Print(pappl_job_t* job, pappl_device_t* device, Pool& pool) {
  const PrintOptions options = MakePrintOptions(job, 1);
  if (!options) return IoError("there is not enough memory");
  pappl_pr_driver_data_t driver;
  papplPrinterGetDriverData(papplJobGetPrinter(job), &driver);
  if (!driver.rstartjob_cb(job, options.get(), device)) return false;
  const int copies = std::clamp(options->copies, 1, 999);
  papplJobSetImpressions(job, copies);
  Result<bool> printed = true;
  for (int i = 0; i < copies && printed.ok() && *printed; ++i) {
    printed = PrintCopy(job, device, *options, driver, pool);
  }
  if (!printed.ok() || !*printed) NoteFailure(job);
  const bool is_ended = driver.rendjob_cb(job, options.get(), device);
  if (!printed.ok()) return printed;
  return *printed && is_ended;
}

}  // namespace

bool PrintPicture(pappl_job_t* job, pappl_device_t* device, void* data) {
  try {
    const Result<bool> printed =
        Print(job, device, static_cast<Application*>(data)->pool);
    if (printed.ok() || papplJobIsCanceled(job)) {
      return printed.ok() && *printed;
    }
    return FailJob(job,
                   printed.error().code == ErrorCode::kBadInput
                       ? PAPPL_JREASON_DOCUMENT_FORMAT_ERROR
                       : PAPPL_JREASON_ERRORS_DETECTED,
                   ("the picture: " + printed.error().message).c_str());
  } catch (const std::exception& error) {
    return FailJob(job, PAPPL_JREASON_ERRORS_DETECTED, error.what());
  }
}

}  // namespace halftoned
