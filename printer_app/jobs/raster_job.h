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

// Between the callbacks that start and end a job, pages of ink, which somebody
// else has halftoned, in place of the callbacks for pages and rows. False: the
// job has failed, and the log says why.
bool StartInkPage(pappl_job_t* job, const pappl_pr_options_t& options,
                  pappl_device_t* device);
// Rows as GrayPage puts them.
bool WriteInk(pappl_job_t* job, pappl_device_t* device,
              std::span<const std::byte> rows);
// is_complete: all rows have come.
bool EndInkPage(pappl_job_t* job, pappl_device_t* device, bool is_complete);

// No more rows of this page will come, and the caller reports why: the callback
// that ends the page does not.
void CutPage(pappl_job_t* job);

// The engines of a job that has been started.
JobEngines& EnginesOf(pappl_job_t* job);

// The last byte of a job is on its way. A server that is killed after this does
// not print the job again. Waits until the printer has the byte; false, with
// the job failed, if the printer ends the connection before.
bool IsPrinted(pappl_job_t* job, pappl_device_t* device);

// The job has failed before its end was sent. A server that is killed after
// this does not print it again.
void NoteFailure(pappl_job_t* job);

// Logs what has failed. Returns false.
bool FailJob(pappl_job_t* job, pappl_jreason_t reason, const char* what);

}  // namespace halftoned
