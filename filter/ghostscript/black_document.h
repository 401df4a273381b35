// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a document in PDF paints only solid black and white, so that there is
// nothing to halftone: most text. Says no wherever it does not know, which
// costs time but no dots.

#ifndef HALFTONED_FILTER_GHOSTSCRIPT_BLACK_DOCUMENT_H_
#define HALFTONED_FILTER_GHOSTSCRIPT_BLACK_DOCUMENT_H_

#include <cstdint>
#include <optional>
#include <string>

namespace halftoned {

// The number of its pages, if nothing on them is gray. That holds if full black
// of CMYK is solid (cmyk_profile.h).
std::optional<int64_t> PagesOfBlackDocument(const std::string& path);

}  // namespace halftoned

#endif  // HALFTONED_FILTER_GHOSTSCRIPT_BLACK_DOCUMENT_H_
