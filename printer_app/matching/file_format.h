// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a file is that no client has named a format for, beyond what PAPPL
// knows.

#ifndef HALFTONED_PRINTER_APP_MATCHING_FILE_FORMAT_H_
#define HALFTONED_PRINTER_APP_MATCHING_FILE_FORMAT_H_

#include <cstddef>

namespace halftoned {

// By its first bytes: a printer's language, or text; null if it is neither. A
// pappl_mime_cb_t.
const char* FileFormat(const unsigned char* bytes, size_t size, void* data);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_MATCHING_FILE_FORMAT_H_
