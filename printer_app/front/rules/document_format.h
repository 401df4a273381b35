// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a printer accepts documents of a format. Pure.

#pragma once

#include <cups/ipp.h>

#include <string>

namespace halftoned {

inline constexpr char kAnyFormat[] = "application/octet-stream";
inline constexpr char kSupportedFormats[] = "document-format-supported";

// The format that a request for a job or a document names. Empty: it names none
// or any format, or the request has no document.
std::string FormatNamedIn(ipp_t* request);

// Whether the document is not packed, or packed so that DocumentReader can
// unpack it. Names are in lower case (CleanTexts).
bool HasKnownCompression(ipp_t* request);

// printer: its attributes. A printer that lists none accepts every format.
bool TakesFormat(ipp_t* printer, const std::string& format);

// Whether the printer accepts documents in a language of its own.
bool HasLanguage(ipp_t* printer);

// Goes into the answer to a request whose format is not accepted.
void RefuseFormat(const std::string& format, ipp_t* answer);

}  // namespace halftoned
