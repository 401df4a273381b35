// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/picture_sheet.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "print/file/input_file.h"
#include "print/file/temporary_file.h"
#include "print/image/formats.h"
#include "print/image/orientation.h"
#include "print/image/scale/scaled_page.h"
#include "print/limits/render_guard.h"
#include "printer_app/documents/job_paper.h"
#include "printer_app/front/pappl/user_shares.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/job_owner.h"
#include "printer_app/pictures/picture_disk.h"
#include "printer_app/pictures/picture_memory.h"
#include "printer_app/pictures/shown_part.h"

namespace halftoned {
namespace {

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

// Rows that are kept, of the picture or scaled: blocks of rows that are turned,
// and rows to be cropped and copied.
constexpr int64_t kRowsKept = 192;

// A picture that is scaled with so much memory may keep it while it is printed.
// Photos of 50 million pixels need 4 MiB on A4 at 600 dpi.
int64_t MostWhilePrinting(const PictureMemory& memory) {
  return std::min(int64_t{16} << 20, memory.most_of_user() / 4);
}

}  // namespace

// Members are destroyed from the last one to the first.
struct PictureSheet::Decoded {
  InputFile file;
  std::unique_ptr<ImageReader> image = {};  // null if the picture is in a file
  std::shared_ptr<void> memory = {};        // that scaling uses
  std::unique_ptr<PageReader> shown = {};
};

PictureSheet::PictureSheet(pappl_job_t* job, const pappl_pr_options_t& options,
                           Application& app, std::function<void()> begin_wait)
    : job_(job),
      options_(options),
      app_(app),
      begin_wait_(std::move(begin_wait)),
      patience_(job, app),
      seconds_(ReadRenderLimits().time),
      work_(std::chrono::seconds(seconds_)) {}

PictureSheet::~PictureSheet() = default;

Result<void> PictureSheet::Begin() {
  rows_.reset();
  if (!file_) {
    decoded_.reset();
    work_ = WorkTime(std::chrono::seconds(seconds_));
    work_.Begin();
    const Result<void> made = Make();
    work_.End();
    HALFTONED_TRY(Explained(made));
  }
  if (file_) in_file_ = file_->Read();
  rows_.emplace(file_ ? *in_file_ : *decoded_->shown, options_.header.cupsWidth,
                left_, top_);
  return {};
}

Result<const uint8_t*> PictureSheet::Next() {
  if (file_) return rows_->Next();
  work_.Begin();
  auto row = rows_->Next();
  work_.End();
  return Explained(std::move(row));
}

template <typename T>
Result<T> PictureSheet::Explained(Result<T> result) const {
  if (result.ok() || !work_.IsOver()) return result;
  return BadInput("needs more than " + std::to_string(seconds_) +
                  " s of a CPU core (render-time in halftoned.conf)");
}

Result<void> PictureSheet::Make() {
  const char* path = papplJobGetFilename(job_);
  if (!path) return IoError("the document is gone");
  HALFTONED_TRY_ASSIGN(const std::string document, DocumentOf(path));
  HALFTONED_TRY_ASSIGN(InputFile file, InputFile::Open(document));
  decoded_ = std::make_unique<Decoded>(Decoded{std::move(file)});
  decoded_->file.EndWhen(
      [this] { return papplJobIsCanceled(job_) || work_.IsOver(); });
  owner_ = OwnerOfJob(job_);
  has_some_ = false;
  has_memory_ = false;
  const auto take_memory = [this](int64_t bytes) { return TakeMemory(bytes); };
  const auto take_disk = [this](int to, int64_t bytes) {
    return TakeDisk(to, bytes, !has_some_);
  };
  HALFTONED_TRY_ASSIGN(decoded_->image,
                       ReaderOf(decoded_->file, {.remedy = kPictureRemedy,
                                                 .take_memory = take_memory,
                                                 .take_disk = take_disk}));
  HALFTONED_TRY_ASSIGN(auto picture, decoded_->image->Next());
  if (!picture) return BadInput("there is no picture in the file");
  // A picture that is decoded as a whole is copied to a file, so that none
  // waits for a second piece of memory while it has the first.
  if (has_memory_) {
    HALFTONED_TRY_ASSIGN(picture, CopyToFile(std::move(picture), take_disk));
    decoded_->image.reset();
  }
  HALFTONED_TRY(PlacePicture(std::move(picture)));
  if (!file_) return {};
  const Result<void> filled = file_->Fill(*decoded_->shown);
  decoded_.reset();
  if (!filled.ok()) file_.reset();
  return filled;
}

Result<std::shared_ptr<void>> PictureSheet::TakeMemory(int64_t bytes) {
  has_some_ = has_memory_ = true;
  auto taken = app_.picture_memory.Take(
      owner_, bytes, [this] { return papplJobIsCanceled(job_); });
  if (!taken.ok()) return WithRemedy(taken.error());
  return taken;
}

Result<std::shared_ptr<void>> PictureSheet::TakeDisk(int file, int64_t bytes,
                                                     bool may_wait) {
  std::optional<RoomWait> wait;
  const auto begin_wait = [&] {
    begin_wait_();
    wait.emplace(job_,
                 "other pictures use the space on the disk for temporary files",
                 patience_);
  };
  const auto is_over = [&] { return wait && wait->IsOver(); };
  auto taken = app_.picture_disk.Take(
      {owner_, bytes, may_wait, begin_wait}, file,
      [&] { return papplJobIsCanceled(job_) || is_over(); });
  if (!taken.ok() && is_over()) return wait->error();
  has_some_ = has_some_ || taken.ok();
  return taken;
}

Result<void> PictureSheet::PlacePicture(std::unique_ptr<PageReader> picture) {
  const SheetPaper paper = PaperOf(options_);
  PageFit fit = FitOf(options_);
  const Extent size = SizeOf(picture->info(), paper, fit);
  const SheetPlace placed = Place(size, paper, fit, TurnsOf(options_));
  HALFTONED_TRY_ASSIGN(picture,
                       Orient(std::move(picture), OrientationFor(placed.turns),
                              [this](int to, int64_t bytes) {
                                return TakeDisk(to, bytes, !has_some_);
                              }));
  const auto dots = [&](double points) {
    return static_cast<int64_t>(std::llround(points / paper.dot));
  };
  const int64_t width = std::max<int64_t>(1, dots(placed.size.width));
  const int64_t rows = std::max<int64_t>(1, dots(placed.size.height));
  if (width > Page::kMaxWidth || rows > Page::kMaxRows) {
    return BadInput("the picture would be too large");
  }
  const int64_t x = dots(placed.left);
  const int64_t y = dots(placed.top);
  const Part part =
      ShownPart({width, rows},
                {options_.header.cupsWidth, options_.header.cupsHeight}, x, y);
  left_ = std::max<int64_t>(0, x);
  top_ = std::max<int64_t>(0, y);
  const PageInfo& info = picture->info();
  const int64_t columns = std::max<int64_t>(info.page.width(), width);
  const int64_t bytes = BytesToScale(info, width, rows) +
                        kRowsKept * columns * int64_t(info.bytes_per_pixel());
  const bool may_keep = bytes <= MostWhilePrinting(app_.picture_memory);
  auto file =
      SheetFile::Make(part.width, part.rows, [&](int to, int64_t disk_bytes) {
        return TakeDisk(to, disk_bytes, !may_keep && !has_some_);
      });
  if (file.ok()) {
    file_ = std::move(*file);
  } else if (!may_keep) {
    return file.error();
  }
  HALFTONED_TRY_ASSIGN(decoded_->memory, TakeMemory(bytes));
  auto scaled = Scale(std::move(picture), width, rows, app_.pool);
  if (!scaled.ok()) return WithRemedy(scaled.error());
  HALFTONED_TRY_ASSIGN(decoded_->shown, Crop(std::move(*scaled), part,
                                             [&input = decoded_->file] {
                                               return input.CheckCanceled();
                                             }));
  return {};
}

}  // namespace halftoned
