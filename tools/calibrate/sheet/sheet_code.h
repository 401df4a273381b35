// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data that a calibration chart contains about itself, in words and in the
// code below its patches:
//
//   code = length text checksum filler      bytes, bits from the highest on
//   text = "2" "\n" queue "\n" type "\n" resolution "\n" curve "\n" size
//   size = scale " " unit_across " " unit_down     as whole numbers: 1/1000,
//                                                  1/10 micrometer
//   length = one byte, of text
//   checksum = four bytes, the lowest first: FNV-1a of length and text

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "calibrate/sheet/calibration_sheet.h"

namespace halftoned {

struct SheetInfo {
  std::string queue;       // empty: a device without a queue
  std::string type;        // "fine", "clustered 4"
  std::string resolution;  // "600", "600x300"; dpi
  bool has_curve = false;  // printed with the queue's measured curve
  SheetSize size = {};
  // A chart of another version has other patches, and the rest of its text is
  // unknown.
  bool is_of_this_version = true;

  friend bool operator==(const SheetInfo&, const SheetInfo&) = default;
};

// The bits for CalibrationSheet::Marks. Refuses names that are too long.
Result<std::vector<bool>> CodeOf(const SheetInfo& info);
// The reverse. Refuses bits that are not such a code.
Result<SheetInfo> InfoOf(const std::vector<bool>& code);

// The words on the chart: a title, and lines.
std::vector<std::string> WordsOf(const SheetInfo& info);

}  // namespace halftoned
