// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Letters made of squares, for the words on a calibration chart: capitals,
// digits and a few signs. Any other character is a blank.

#pragma once

#include <string_view>
#include <vector>

#include "calibrate/sheet/calibration_sheet.h"

namespace halftoned {

// Adds the words as squares. Stops at a letter that would extend beyond
// `right`.
void AddLetters(std::string_view words, double left, double top, double right,
                std::vector<SheetMark>& marks);

}  // namespace halftoned
