// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page in the middle of a frame: what is beyond the frame is cropped, and
// what is missing is white. If the difference is odd, the right or bottom side
// gets the larger part.

#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "print/image/image.h"

namespace halftoned {

// width: 1 … Page::kMaxWidth; rows: 1 … Page::kMaxRows, of the frame. The page
// keeps its metadata.
Result<std::unique_ptr<PageReader>> Frame(std::unique_ptr<PageReader> page,
                                          int64_t width, int64_t rows);

}  // namespace halftoned
