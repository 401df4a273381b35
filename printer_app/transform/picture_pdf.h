// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A picture as a page of PDF: JPEG as it is, PNG on white. The renderer
// interpolates it, and a camera's note of how it lay becomes the page's turn.

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_PICTURE_PDF_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_PICTURE_PDF_H_

#include <string>

#include "base/result.h"

namespace halftoned {

// has_size: the page is as large as the picture at 200 dots an inch. Else it is
// larger than any paper, so that it is fitted to that.
Result<void> PictureToPdf(const std::string& from, const std::string& to,
                          bool has_size);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_PICTURE_PDF_H_
