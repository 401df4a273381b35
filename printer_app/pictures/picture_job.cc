// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/picture_job.h"

#include <algorithm>
#include <cstdint>
#include <exception>

#include "base/result.h"
#include "printer_app/application.h"
#include "printer_app/jobs/print_options.h"
#include "printer_app/jobs/raster_job.h"
#include "printer_app/pictures/picture_sheet.h"

namespace halftoned {
namespace {

// Prints one copy. False: the log says why it failed.
Result<bool> PrintCopy(pappl_job_t* job, pappl_device_t* device,
                       pappl_pr_options_t& options,
                       const pappl_pr_driver_data_t& driver,
                       PictureSheet& sheet) {
  HALFTONED_TRY(sheet.Begin());
  if (!driver.rstartpage_cb(job, &options, device, 1)) return false;
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
  return is_ended;
}

// The sheet is gone before the job waits for its last bytes.
Result<bool> PrintCopies(pappl_job_t* job, pappl_device_t* device,
                         pappl_pr_options_t& options,
                         const pappl_pr_driver_data_t& driver,
                         Application& app) {
  const int copies = std::clamp(options.copies, 1, 999);
  papplJobSetImpressions(job, copies);
  PictureSheet sheet(job, options, app);
  Result<bool> printed = true;
  for (int i = 0; i < copies && printed.ok() && *printed; ++i) {
    printed = PrintCopy(job, device, options, driver, sheet);
  }
  return printed;
}

Result<bool> Print(pappl_job_t* job, pappl_device_t* device, Application& app) {
  const PrintOptions options = MakePrintOptions(job, 1);
  if (!options) return IoError("not enough memory");
  pappl_pr_driver_data_t driver;
  papplPrinterGetDriverData(papplJobGetPrinter(job), &driver);
  if (!driver.rstartjob_cb(job, options.get(), device)) return false;
  const Result<bool> printed = PrintCopies(job, device, *options, driver, app);
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
