// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a picture that a sheet shows, in 8 bits.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/result.h"
#include "print/image/image.h"

namespace halftoned {

// Columns and rows of a picture.
struct Part {
  int64_t left;
  int64_t top;
  int64_t width;
  int64_t rows;
};

// The part of a picture of this size that is on a sheet of that size. x, y: the
// picture's position on the sheet; may be negative.
struct Area {
  int64_t width;
  int64_t rows;
};
Part ShownPart(const Area& picture, const Area& sheet, int64_t x, int64_t y);

// The rows below the part are not read. check: called now and then; reading
// ends with its error. An error if the part is empty.
Result<std::unique_ptr<PageReader>> Crop(std::unique_ptr<PageReader> picture,
                                         const Part& part,
                                         std::function<Result<void>()> check);

}  // namespace halftoned
