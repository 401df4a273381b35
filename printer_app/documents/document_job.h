// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints jobs with PDF, PostScript and text documents.

#pragma once

#include <pappl/pappl.h>

#include <string_view>

namespace halftoned {

// Whether PrintDocument prints it, for which it needs temporary files.
bool IsDocumentFormat(std::string_view format);

// Filters of PAPPL (pappl_mime_filter_cb_t).
bool PrintDocument(pappl_job_t* job, pappl_device_t* device, void* data);

// Removes the document files of killed processes.
void RemoveLeftDocuments();

}  // namespace halftoned
