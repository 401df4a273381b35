// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares what libtiff has read from a directory with the directory itself.
// libtiff skips tags that it cannot read, with a warning, and uses defaults;
// for tags that decide what pixels mean, the result would be another picture.

#pragma once

#include <string_view>

#include "base/result.h"

namespace halftoned {

class TiffFile;

// Whether libtiff's `sentence` is about a tag that decides what pixels mean.
// Tables of strips and tiles do not count: they are checked where they are
// used.
bool IsAboutPixels(std::string_view sentence);

// Checks the current directory: an error if pixels would be misinterpreted.
Result<void> CheckTiffDirectory(TiffFile& file);

}  // namespace halftoned
