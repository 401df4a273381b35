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
#include "print/file/temporary_file.h"
#include "print/image/formats.h"
#include "print/image/image.h"
#include "print/image/orientation.h"
#include "print/image/scale/scaled_page.h"
#include "print/render/page_queue.h"
#include "printer_app/application.h"
#include "printer_app/documents/job_paper.h"
#include "printer_app/front/pappl/kept_shares.h"
#include "printer_app/front/pappl/user_shares.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/print_options.h"
#include "printer_app/jobs/raster_job.h"
#include "printer_app/pictures/picture_disk.h"
#include "printer_app/pictures/picture_memory.h"
#include "printer_app/pictures/placed_rows.h"

namespace halftoned {
namespace {

constexpr int64_t kRowsOfBatch = 64;
constexpr size_t kMostAhead = size_t{2} << 20;

// The rows of a sheet, made on a separate thread while the rows before them are
// halftoned and printed.
class RowsAhead {
 public:
  // `rows` and `memory` outlive this object, and nothing else uses `rows`.
  // width, count: of the sheet's rows. Throws std::system_error if the system
  // cannot start a thread.
  RowsAhead(PlacedRows& rows, int64_t width, int64_t count, PageMemory& memory);
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

RowsAhead::RowsAhead(PlacedRows& rows, int64_t width, int64_t count,
                     PageMemory& memory)
    : rows_(rows),
      width_(static_cast<size_t>(width)),
      count_(count),
      queue_(memory, kMostAhead),
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
Error WithRemedy(const Error& error) {
  return BadInput(error.message + "; " + std::string(kPictureRemedy));
}

// Opens pictures of the offered formats, JPEG and PNG. Without the TIFF reader,
// the server does not load libtiff and five more libraries into memory. `file`
// outlives the picture.
Result<std::unique_ptr<ImageReader>> ReaderOf(InputFile& file,
                                              const ImageTrust& trust) {
  HALFTONED_TRY_ASSIGN(const bool is_jpeg, IsJpeg(file));
  if (is_jpeg) return OpenJpeg(file, trust);
  HALFTONED_TRY_ASSIGN(const auto bytes, file.Peek(8));
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               bytes.size());
  if (start == "\x89PNG\r\n\x1a\n") return OpenPng(file, trust);
  return BadInput("is not JPEG or PNG");
}

// Asked before a picture takes memory or disk space.
struct Resources {
  TakeMemory take_memory;
  TakeDisk take_disk;
};

// For one copy of the job's picture; the job and `app` outlive it.
Resources ResourcesOf(pappl_job_t* job, Application& app) {
  const char* named = papplJobGetUsername(job);
  const std::string user = named ? named : "";
  const auto owner = UserOf(papplJobGetFilename(job));
  const auto is_canceled = [job] { return papplJobIsCanceled(job); };
  const auto has_some = std::make_shared<bool>(false);
  return {[=, &app](int64_t bytes) -> Result<std::shared_ptr<void>> {
            *has_some = true;
            auto taken = app.picture_memory.Take(user, bytes, is_canceled);
            if (!taken.ok()) return WithRemedy(taken.error());
            return taken;
          },
          [=, &app](int file, int64_t bytes) {
            const bool may_wait = !std::exchange(*has_some, true);
            return app.picture_disk.Take(
                {owner.value_or(UserShares::User{user}), bytes, may_wait}, file,
                is_canceled);
          }};
}

struct Picture {
  std::unique_ptr<ImageReader> image;  // null if the page is in a file
  std::unique_ptr<PageReader> page;
};

// A picture that is decoded as a whole is copied to a file, so that no picture
// waits for memory until a printer has paper again, and none waits for a second
// piece of memory while it has the first. `file` outlives the picture.
Result<Picture> OpenPicture(InputFile& file, const Resources& resources) {
  bool is_in_memory = false;
  const auto take = [&](int64_t bytes) {
    is_in_memory = true;
    return resources.take_memory(bytes);
  };
  HALFTONED_TRY_ASSIGN(auto image,
                       ReaderOf(file, {.remedy = kPictureRemedy,
                                       .take_memory = take,
                                       .take_disk = resources.take_disk}));
  HALFTONED_TRY_ASSIGN(auto page, image->Next());
  if (!page) return BadInput("there is no picture in the file");
  if (is_in_memory) {
    HALFTONED_TRY_ASSIGN(page,
                         CopyToFile(std::move(page), resources.take_disk));
    image.reset();
  }
  return Picture{std::move(image), std::move(page)};
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

// Rows that a sheet keeps, of the picture or scaled: blocks of rows that are
// turned, and rows to be placed.
constexpr int64_t kRowsKept = 192;

struct Sheet {
  std::shared_ptr<void> memory;         // that the picture uses
  std::unique_ptr<PageReader> picture;  // turned and scaled
  int64_t left;                         // in dots; may be negative
  int64_t top;
};

Result<Sheet> SheetOf(std::unique_ptr<PageReader> picture,
                      const pappl_pr_options_t& options,
                      const Resources& resources, Pool& pool) {
  const SheetPaper paper = PaperOf(options);
  PageFit fit = FitOf(options);
  const Extent size = SizeOf(picture->info(), paper, fit);
  const SheetPlace placed = Place(size, paper, fit, TurnsOf(options));
  HALFTONED_TRY_ASSIGN(picture,
                       Orient(std::move(picture), OrientationFor(placed.turns),
                              resources.take_disk));
  const auto dots = [&](double points) {
    return static_cast<int64_t>(std::llround(points / paper.dot));
  };
  const int64_t width = std::max<int64_t>(1, dots(placed.size.width));
  const int64_t rows = std::max<int64_t>(1, dots(placed.size.height));
  if (width > Page::kMaxWidth || rows > Page::kMaxRows) {
    return BadInput("the picture would be too large");
  }
  Sheet sheet{nullptr, nullptr, dots(placed.left), dots(placed.top)};
  const PageInfo& info = picture->info();
  const int64_t columns = std::max<int64_t>(info.page.width(), width);
  HALFTONED_TRY_ASSIGN(
      sheet.memory, resources.take_memory(BytesToScale(info, width, rows) +
                                          kRowsKept * columns *
                                              int64_t(info.bytes_per_pixel())));
  auto scaled = Scale(std::move(picture), width, rows, pool);
  if (!scaled.ok()) {
    return WithRemedy(scaled.error());
  }
  sheet.picture = std::move(*scaled);
  return sheet;
}

// Prints one copy. False: the log says why it failed.
Result<bool> PrintCopy(pappl_job_t* job, pappl_device_t* device,
                       pappl_pr_options_t& options,
                       const pappl_pr_driver_data_t& driver, Application& app) {
  const char* path = papplJobGetFilename(job);
  if (!path) return IoError("the document is gone");
  HALFTONED_TRY_ASSIGN(const std::string document, DocumentOf(path));
  HALFTONED_TRY_ASSIGN(InputFile file, InputFile::Open(document));
  file.EndWhen([job] { return papplJobIsCanceled(job); });
  const Resources resources = ResourcesOf(job, app);
  HALFTONED_TRY_ASSIGN(Picture picture, OpenPicture(file, resources));
  HALFTONED_TRY_ASSIGN(
      const Sheet sheet,
      SheetOf(std::move(picture.page), options, resources, app.pool));
  if (!driver.rstartpage_cb(job, &options, device, 1)) return false;
  const cups_page_header2_t& header = options.header;
  PlacedRows placed(*sheet.picture, header.cupsWidth, sheet.left, sheet.top);
  RowsAhead rows(placed, header.cupsWidth, header.cupsHeight, app.sheet_memory);
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

Result<bool> Print(pappl_job_t* job, pappl_device_t* device, Application& app) {
  const PrintOptions options = MakePrintOptions(job, 1);
  if (!options) return IoError("not enough memory");
  pappl_pr_driver_data_t driver;
  papplPrinterGetDriverData(papplJobGetPrinter(job), &driver);
  if (!driver.rstartjob_cb(job, options.get(), device)) return false;
  const int copies = std::clamp(options->copies, 1, 999);
  papplJobSetImpressions(job, copies);
  Result<bool> printed = true;
  for (int i = 0; i < copies && printed.ok() && *printed; ++i) {
    printed = PrintCopy(job, device, *options, driver, app);
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
        Print(job, device, *static_cast<Application*>(data));
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
