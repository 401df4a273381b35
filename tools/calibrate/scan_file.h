// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scan as a picture in memory, from a TIFF, PNG, JPEG or PNM file.

#ifndef HALFTONED_TOOLS_CALIBRATE_SCAN_FILE_H_
#define HALFTONED_TOOLS_CALIBRATE_SCAN_FILE_H_

#include <string>

#include "base/result.h"
#include "calibrate/sheet/gray_picture.h"

namespace halftoned {

// "-" is standard input. The first page. Errors begin with the file's name.
Result<GrayPicture> ReadScan(const std::string& path);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_CALIBRATE_SCAN_FILE_H_
