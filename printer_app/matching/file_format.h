// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detects the format of a file if neither the client nor PAPPL knows it.

#pragma once

#include <cstddef>
#include <string>

namespace halftoned {

// The format of a whole document; null if it is unknown.
const char* FormatOfDocument(const std::string& path);

// The format according to the first bytes: a printer language, or text; null if
// it is neither. For a reference (spooled_document.h), the document's format. A
// pappl_mime_cb_t. `spool` is a std::string, the directory of documents.
const char* FileFormat(const unsigned char* bytes, size_t size, void* spool);

}  // namespace halftoned
