// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of a PDF document, read by another process within the limits of
// halftoned.conf: libqpdf may need any memory and time.

#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "print/ppd/queue.h"
#include "print/process/stop.h"
#include "print/render/pdf_pages.h"

namespace halftoned {

// As PagesOf. Also an error if that needs more than the limits, or at a stop.
Result<PdfPages> PagesApart(const std::string& path,
                            const std::optional<PaperSize>& paper,
                            bool may_be_black, const Stop& stop);

}  // namespace halftoned
