// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Letters of squares, for the words on a calibration sheet: capitals, digits
// and a few signs. Anything else is a blank.

#pragma once

#include <string_view>
#include <vector>

#include "calibrate/sheet/calibration_sheet.h"

namespace halftoned {

// Adds the words as squares; what would pass `right` is left out.
void AddLetters(std::string_view words, double left, double top, double right,
                std::vector<SheetMark>& marks);

}  // namespace halftoned
