// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a printer takes documents of a format, known before the document
// comes. Pure.

#pragma once

#include <cups/ipp.h>

#include <string>

namespace halftoned {

inline constexpr char kSupportedFormats[] = "document-format-supported";

// The format that a request for a job or a document names. Empty: it names
// none, or any, or the request has no document.
std::string FormatNamedIn(ipp_t* request);

// Whether the document is packed as DocumentReader can unpack it, or not at
// all. names: in small letters (CleanTexts).
bool HasKnownCompression(ipp_t* request);

// printer: its attributes. A printer that lists none accepts every format.
bool TakesFormat(ipp_t* printer, const std::string& format);

// Into the answer to a request whose format is not taken.
void RefuseFormat(const std::string& format, ipp_t* answer);

}  // namespace halftoned
