// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs of PDF, PostScript and text.

#ifndef HALFTONED_PRINTER_APP_DOCUMENTS_DOCUMENT_JOB_H_
#define HALFTONED_PRINTER_APP_DOCUMENTS_DOCUMENT_JOB_H_

#include <pappl/pappl.h>

namespace halftoned {

// Filters of PAPPL (pappl_mime_filter_cb_t).
bool PrintDocument(pappl_job_t* job, pappl_device_t* device, void* data);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_DOCUMENTS_DOCUMENT_JOB_H_
