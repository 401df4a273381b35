// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/picture_job.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

#include "base/result.h"
#include "print/file/input_file.h"
#include "print/image/formats.h"
#include "print/image/image.h"
#include "print/image/orientation.h"
#include "print/image/scale/scaled_page.h"
#include "print/render/page_queue.h"
#include "printer_app/application.h"
#include "printer_app/documents/job_paper.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/print_options.h"
#include "printer_app/jobs/raster_job.h"
#include "printer_app/pictures/placed_rows.h"

namespace halftoned {
namespace {

constexpr int64_t kRowsOfBatch = 64;
constexpr size_t kMostAhead = size_t{2} << 20;

// The rows of a sheet, made on a separate thread while the rows before them are
// halftoned and printed.
class RowsAhead {
 public:
  // `rows` outlives this object, and nothing else uses `rows`. width, count: of
  // the sheet's rows. Throws std::system_error if the system cannot start a
  // thread.
  RowsAhead(PlacedRows& rows, int64_t width, int64_t count);
  ~RowsAhead();

  // The next row, valid until the next call. Must not be called more than
  // `count` times.
  Result<const uint8_t*> Next();

 private:
  void Work();
  Result<void> ReadAll();

  PlacedRows& rows_;
  const size_t width_;
  const int64_t count_;
  PageQueue queue_;
  PageQueue::Rows batch_;  // row `next_` of it is the next one
  int64_t next_ = 0;
  std::thread thread_;
};

RowsAhead::RowsAhead(PlacedRows& rows, int64_t width, int64_t count)
    : rows_(rows),
      width_(static_cast<size_t>(width)),
      count_(count),
      queue_(kMostAhead),
      thread_(&RowsAhead::Work, this) {}

RowsAhead::~RowsAhead() {
  queue_.Close();
  thread_.join();
}

void RowsAhead::Work() {
  try {
    queue_.End(ReadAll());
  } catch (const std::exception&) {
    queue_.End(IoError("not enough memory"));
  }
}

Result<void> RowsAhead::ReadAll() {
  for (int64_t row = 0; row < count_; row += kRowsOfBatch) {
    PageQueue::Rows batch;
    batch.count = std::min(kRowsOfBatch, count_ - row);
    batch.bytes.reserve(width_ * static_cast<size_t>(batch.count));
    for (int64_t i = 0; i < batch.count; ++i) {
      HALFTONED_TRY_ASSIGN(const uint8_t* next, rows_.Next());
      const auto* bytes = reinterpret_cast<const std::byte*>(next);
      batch.bytes.insert(batch.bytes.end(), bytes, bytes + width_);
    }
    HALFTONED_TRY(queue_.PutRows(std::move(batch)));
  }
  return {};
}

Result<const uint8_t*> RowsAhead::Next() {
  if (next_ == batch_.count) {
    PageQueue::Item item = queue_.Take();
    if (const auto* end = std::get_if<Result<void>>(&item)) {
      return end->ok() ? Bug("there are no more rows") : end->error();
    }
    batch_ = std::get<PageQueue::Rows>(std::move(item));
    next_ = 0;
  }
  return reinterpret_cast<const uint8_t*>(batch_.bytes.data()) +
         width_ * static_cast<size_t>(next_++);
}

// For errors about pictures that are too large.
constexpr std::string_view kPictureRemedy = "send it with fewer pixels";

// Opens pictures of the offered formats, JPEG and PNG. Without the TIFF reader,
// the server does not load libtiff and five more libraries into memory. `file`
// outlives the picture.
Result<std::unique_ptr<ImageReader>> OpenPicture(InputFile& file) {
  HALFTONED_TRY_ASSIGN(const bool is_jpeg, IsJpeg(file));
  if (is_jpeg) return OpenJpeg(file);
  HALFTONED_TRY_ASSIGN(const auto bytes, file.Peek(8));
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               bytes.size());
  if (start == "\x89PNG\r\n\x1a\n")
    return OpenPng(file, {.remedy = kPictureRemedy});
  return BadInput("is not JPEG or PNG");
}

constexpr double kPointsOfInch = 72;
// PAPPL's resolution for pictures that state none and are not to be scaled.
constexpr double kUsualDotsPerInch = 200;

// The size that the picture states, in points. A picture without a size, or too
// large for the area within the margins, is fitted to that area.
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

// Prints one copy. False: the log says why it failed.
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
  if (!options) return IoError("not enough memory");
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
