// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sheet of a job's picture. The picture is decoded, turned, scaled and
// cropped to the sheet once, into a temporary file without white borders. Then
// its memory and its decoders are released, and each copy is printed from the
// file. So no memory waits for a printer, and no copy is decoded again.
//
// Making a sheet takes at most render-time, and never waits for a printer.
// These rules prevent deadlocks:
// - A picture waits for disk space only if it has neither space nor memory.
//   Printed sheets keep their space while a printer is out of paper, so this
//   wait can be long. If other jobs of the printer could print meanwhile, it is
//   limited (RoomPatience).
// - A picture takes the space for its sheet before it takes memory to scale, so
//   nothing that has memory waits, and everybody gets memory in the end.
// - If there is no space for the sheet, and the picture can be scaled with
//   little memory, as photos can, then it does not wait. It is printed while it
//   is decoded, for each copy anew, and only then its memory waits for the
//   printer.

#pragma once

#include <pappl/pappl.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/result.h"
#include "print/image/image.h"
#include "printer_app/application.h"
#include "printer_app/documents/job_room.h"
#include "printer_app/front/pappl/user_shares.h"
#include "printer_app/pictures/placed_rows.h"
#include "printer_app/pictures/sheet_file.h"
#include "printer_app/pictures/work_time.h"

namespace halftoned {

// Used by one thread.
class PictureSheet {
 public:
  // All outlive it. begin_wait: called before it waits for disk space.
  // Meanwhile the printer has the reason spool-area-full.
  PictureSheet(pappl_job_t* job, const pappl_pr_options_t& options,
               Application& app, std::function<void()> begin_wait);
  ~PictureSheet();
  PictureSheet(const PictureSheet&) = delete;
  PictureSheet& operator=(const PictureSheet&) = delete;

  // Begins a copy. Makes the sheet first if it is not in a file.
  Result<void> Begin();

  // The next row of the copy, as light; valid until the next call.
  Result<const uint8_t*> Next();

 private:
  struct Decoded;

  Result<void> Make();
  // Sets `shown` of `decoded_`, and `file_` if there is space for it.
  Result<void> PlacePicture(std::unique_ptr<PageReader> picture);
  Result<std::shared_ptr<void>> TakeMemory(int64_t bytes);
  Result<std::shared_ptr<void>> TakeDisk(int file, int64_t bytes,
                                         bool may_wait);
  // Names the limit if that is why `result` is an error.
  template <typename T>
  Result<T> Explained(Result<T> result) const;

  pappl_job_t* const job_;
  const pappl_pr_options_t& options_;
  Application& app_;
  const std::function<void()> begin_wait_;
  RoomPatience patience_;
  const int seconds_;  // for making the sheet
  WorkTime work_;
  UserShares::User owner_;
  bool has_some_ = false;             // memory or disk space
  bool has_memory_ = false;           // or had some
  std::unique_ptr<Decoded> decoded_;  // null if the sheet is in the file
  std::optional<SheetFile> file_;
  std::unique_ptr<PageReader> in_file_;
  int64_t left_ = 0;  // of what is shown, on the sheet
  int64_t top_ = 0;
  std::optional<PlacedRows> rows_;
};

}  // namespace halftoned
