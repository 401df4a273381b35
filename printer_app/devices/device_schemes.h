// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our device for each URI scheme, in place of PAPPL's own devices, which wait
// forever for a printer that accepts no bytes.

#pragma once

#include <pappl/pappl.h>

#include <functional>
#include <string_view>

namespace halftoned {

// Call it before PAPPL opens or lists any device: PAPPL adds its own devices
// only for schemes that have none.
void AddDeviceSchemes();

// Opens a new connection for each job, although PAPPL keeps a device open while
// other jobs wait: printers close idle connections, and serve other hosts
// between jobs. Waits while the printer is unreachable.
void BeginOnDevice(pappl_job_t* job, pappl_device_t* device);
// Sends the last bytes, and waits until all have reached the printer. False if
// the printer ends the connection before. Tells whether the job is sent
// (DeviceStream::Drain).
bool DrainDevice(pappl_job_t* job, pappl_device_t* device,
                 std::string_view last,
                 const std::function<void(bool is_sent)>& tell);
// The connection of a canceled job is kept while the printer has not taken all
// bytes, if `completes_pages`: these bytes end the last page, and the next job
// waits for them. Otherwise the next job's data could become part of the
// canceled job.
void EndOnDevice(pappl_job_t* job, pappl_device_t* device,
                 bool completes_pages);
// Closes the connection that is kept, if there is one, which ends its page.
// Call it if no next job begins.
void EndKeptConnection(pappl_printer_t* printer);
// The same for devices of all kinds, once the printer is deleted.
void EndKeptStream(pappl_printer_t* printer);

// Waits until the printer has taken all bytes, or the job is canceled. In the
// latter case the rest is kept while the connection is open, and is sent before
// the next job's data, so that the printer never gets half a row. False if the
// device fails.
bool SendToDevice(pappl_job_t* job, pappl_device_t* device,
                  std::string_view bytes);

}  // namespace halftoned
