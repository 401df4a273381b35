// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures side by side, each with its name above, as a PNG file.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "calibrate/sheet/gray_picture.h"
#include "print/file/pending_files.h"

namespace halftoned {

struct StripColumn {
  std::string name;
  std::vector<GrayPicture> pictures;  // one below the other
};

// All columns have the same height. pixels_of_inch: the resolution that the
// file states. "-" is standard output. Errors begin with the file's name.
Result<void> WriteStrip(const std::vector<StripColumn>& columns,
                        std::optional<double> pixels_of_inch,
                        const std::string& path, PendingFiles& pending);

}  // namespace halftoned
