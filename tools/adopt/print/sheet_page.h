// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A calibration sheet as a PDF document, each edge on an edge of the printer's
// dots. Pure; knows no queues.

#ifndef HALFTONED_TOOLS_ADOPT_PRINT_SHEET_PAGE_H_
#define HALFTONED_TOOLS_ADOPT_PRINT_SHEET_PAGE_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "calibrate/arguments.h"
#include "calibrate/sheet/calibration_sheet.h"
#include "calibrate/sheet/sheet_drawing.h"
#include "print/page/test_page.h"

namespace halftoned {

SheetPaper PaperOf(const PageSize& size);

// Refuses pages that are too small.
Result<std::string> SheetPage(const std::vector<SheetMark>& marks,
                              const PageSize& size,
                              const SheetResolution& resolution);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_PRINT_SHEET_PAGE_H_
