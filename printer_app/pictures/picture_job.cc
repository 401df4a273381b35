// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/picture_job.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>

#include "base/result.h"
#include "printer_app/application.h"
#include "printer_app/devices/device_schemes.h"
#include "printer_app/jobs/print_options.h"
#include "printer_app/jobs/raster_job.h"
#include "printer_app/pictures/picture_sheet.h"

namespace halftoned {
namespace {

// Prints the copy that `sheet` has begun. False: it is the last one, because
// the job has failed, and the log says why, or was canceled.
Result<bool> PrintCopy(pappl_job_t* job, pappl_device_t* device,
                       pappl_pr_options_t& options,
                       const pappl_pr_driver_data_t& driver,
                       PictureSheet& sheet) {
  if (papplJobIsCanceled(job) ||
      !driver.rstartpage_cb(job, &options, device, 1)) {
    return false;
  }
  Result<void> read;
  for (unsigned y = 0; y < options.header.cupsHeight; ++y) {
    if (papplJobIsCanceled(job)) break;
    auto row = sheet.Next();
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
  return is_ended && !papplJobIsCanceled(job);
}

// The first copy has begun.
Result<bool> PrintCopies(pappl_job_t* job, pappl_device_t* device,
                         pappl_pr_options_t& options,
                         const pappl_pr_driver_data_t& driver,
                         PictureSheet& sheet) {
  const int copies = std::clamp(options.copies, 1, 999);
  papplJobSetImpressions(job, copies);
  for (int i = 0; i < copies; ++i) {
    if (i > 0) HALFTONED_TRY(sheet.Begin());
    HALFTONED_TRY_ASSIGN(const bool is_printed,
                         PrintCopy(job, device, options, driver, sheet));
    if (!is_printed) return false;
  }
  return true;
}

Result<bool> Print(pappl_job_t* job, pappl_device_t* device, Application& app) {
  const PrintOptions options = MakePrintOptions(job, 1);
  if (!options) return IoError("not enough memory");
  pappl_pr_driver_data_t driver;
  papplPrinterGetDriverData(papplJobGetPrinter(job), &driver);
  // First, because a printer that is offline must not keep what a sheet takes.
  BeginOnDevice(job, device);
  bool has_begun = false;
  // A job that waits before its first copy lets the printer serve other hosts.
  std::optional<PictureSheet> sheet(std::in_place, job, *options, app, [&] {
    if (!has_begun) EndOnDevice(job, device, false);
  });
  HALFTONED_TRY(sheet->Begin());
  has_begun = true;
  if (!driver.rstartjob_cb(job, options.get(), device)) return false;
  const Result<bool> printed =
      PrintCopies(job, device, *options, driver, *sheet);
  // Before the job waits for its last bytes.
  sheet.reset();
  if (!printed.ok() || !*printed) NoteFailure(job);
  const bool is_ended = driver.rendjob_cb(job, options.get(), device);
  if (!printed.ok()) return printed;
  return *printed && is_ended;
}

// False: the log says why.
bool TryPrintPicture(pappl_job_t* job, pappl_device_t* device,
                     Application& app) {
  try {
    const Result<bool> printed = Print(job, device, app);
    if (printed.ok() || papplJobIsCanceled(job)) {
      return printed.ok() && *printed;
    }
    return FailJob(job, ("the picture: " + printed.error().message).c_str());
  } catch (const std::exception& error) {
    return FailJob(job, error.what());
  }
}

}  // namespace

bool PrintPicture(pappl_job_t* job, pappl_device_t* device, void* data) {
  const bool is_printed =
      TryPrintPicture(job, device, *static_cast<Application*>(data));
  // A job that fails before its first page leaves the connection open.
  EndOnDevice(job, device, false);
  return is_printed;
}

}  // namespace halftoned
