// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our device for each URI scheme, in place of PAPPL's own devices, which wait
// forever for a printer that accepts no bytes.

#pragma once

#include <pappl/pappl.h>

#include <string_view>

namespace halftoned {

// Before PAPPL opens or lists any device: it adds its own only where there are
// none.
void AddDeviceSchemes();

// Opens a new connection for each job, although PAPPL keeps a device open while
// other jobs wait: printers close idle connections, and serve other hosts
// between jobs. Waits while the printer is unreachable.
void BeginOnDevice(pappl_job_t* job, pappl_device_t* device);
// Waits until the printer has all bytes, and not only this machine. False if it
// has ended the connection before.
bool DrainDevice(pappl_job_t* job, pappl_device_t* device);
// The connection of a canceled job stays open for the next job while the
// printer has not taken all bytes, if `completes_pages`: these bytes end the
// last page. Otherwise the next job's data could become part of the canceled
// job.
void EndOnDevice(pappl_device_t* device, bool completes_pages);

// Waits until the printer has taken all bytes, or the job is canceled: then the
// rest is kept for as long as the connection is open, and goes before what the
// next job sends, so that the printer never gets half a row. False if the
// device fails.
bool SendToDevice(pappl_job_t* job, pappl_device_t* device,
                  std::string_view bytes);

}  // namespace halftoned
