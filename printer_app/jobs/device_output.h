// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes for a printer that may take none for as long as it likes.

#ifndef HALFTONED_PRINTER_APP_JOBS_DEVICE_OUTPUT_H_
#define HALFTONED_PRINTER_APP_JOBS_DEVICE_OUTPUT_H_

#include <pappl/pappl.h>

#include <string_view>

namespace halftoned {

// Waits until the printer has taken all bytes, or the job is canceled: then the
// rest is kept for as long as the device is open, and goes before what the next
// job sends, so that the printer never gets half a row. False if the device
// fails.
bool SendToDevice(pappl_job_t* job, pappl_device_t* device,
                  std::string_view bytes);

// Forgets what this thread could not write to files before.
void ClearWriteError();
// 0, or the errno of the thread's last write that failed since then.
int WriteError();

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_JOBS_DEVICE_OUTPUT_H_
