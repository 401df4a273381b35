// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a measured curve, and tells halftoned.conf about it.

#ifndef HALFTONED_TOOLS_CALIBRATE_CURVE_FILE_H_
#define HALFTONED_TOOLS_CALIBRATE_CURVE_FILE_H_

#include <string>

#include "base/result.h"

namespace halftoned {

// Where the curve of a queue is kept: beside halftoned.conf.
std::string CurvePathOf(const std::string& queue,
                        const std::string& configuration);

struct WrittenCurve {
  std::string path;
  std::string kept;  // where the curve is that was there; empty if none was
};

// Whole or not at all. A curve that is there is kept under another name. All
// may read the file, as filters must. Errors begin with its name.
Result<WrittenCurve> WriteCurve(const std::string& path,
                                const std::string& text);

// Puts back what was there before.
void Undo(const WrittenCurve& written);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_CALIBRATE_CURVE_FILE_H_
