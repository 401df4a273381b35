// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job of raster: PAPPL's callbacks around a GrayPage and an encoder.
//
// PAPPL goes on after a row that could not be written and after a raster that
// ends early, so the end of a page reports both.

#pragma once

#include <pappl/pappl.h>

#include <cstddef>
#include <span>

#include "print/engines/job_engines.h"
#include "printer_app/printers/drivers.h"

namespace halftoned {

// The extension of the driver's data is a PrinterDriver.
void SetRasterCallbacks(pappl_pr_driver_data_t& data);

// Between the callbacks that start and end a job, these functions can replace
// the callbacks for pages and rows. They print pages of ink, which the caller
// has halftoned. False: the job has failed, and the log says why.
bool StartInkPage(pappl_job_t* job, const pappl_pr_options_t& options,
                  pappl_device_t* device);
// The rows are in GrayPage's output format. False, too, if the job is canceled:
// do not print the rest of the page, nor further pages.
bool WriteInk(pappl_job_t* job, pappl_device_t* device,
              std::span<const std::byte> rows);
// is_complete: all rows were written.
bool EndInkPage(pappl_job_t* job, pappl_device_t* device, bool is_complete);

// Call it if the rest of the page is missing and you report the reason. Then
// the callback that ends the page does not report it.
void CutPage(pappl_job_t* job);

// The engines of a job that has been started.
JobEngines& EnginesOf(pappl_job_t* job);

// Sends the last bytes of a job, and waits until the printer has them. A server
// that is killed after this does not print the job again. If the printer closes
// the connection first, fails the job and returns false.
bool IsPrinted(pappl_job_t* job, pappl_device_t* device, std::string_view last);

// Call it when the job has failed before its end was sent. A server that is
// killed after this does not print the job again.
void NoteFailure(pappl_job_t* job);

// Logs what has failed. Returns false. The job's reason is errors-detected even
// if its document is at fault, because CUPS 2.4 takes a job that is aborted
// with document-format-error or document-unprintable-error for a completed one.
bool FailJob(pappl_job_t* job, const char* what);

}  // namespace halftoned
