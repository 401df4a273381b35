// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PDF, PostScript and EPS files as images: pages of 8-bit gray, drawn by
// Ghostscript while they are read.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/result.h"
#include "print/file/input_file.h"
#include "print/file/pending_files.h"
#include "print/image/image.h"

namespace halftoned {

struct DocumentOrder {
  Resolution dpi;
  int64_t first_page = 1;  // that the image begins with
  std::optional<int64_t> last_page;
  // Width and height in inches that pages are fitted into.
  std::optional<std::pair<double, double>> size;
};

// Whether a file is such a document, by its first bytes.
Result<bool> IsDocument(InputFile& file);

// `file` and `pending` outlive the image. Next returns an error, and not the
// end, if Ghostscript did not draw all pages.
Result<std::unique_ptr<ImageReader>> OpenDocument(InputFile& file,
                                                  const DocumentOrder& order,
                                                  PendingFiles& pending);

}  // namespace halftoned
