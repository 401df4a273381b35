// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page of a picture, turned, scaled, and cropped or padded with margins,
// according to the command line.

#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "convert/picture_size.h"
#include "halftone/run/pool.h"
#include "print/image/image.h"

namespace halftoned {

// A page as it is to be halftoned.
struct LaidPage {
  std::unique_ptr<PageReader> page;
  std::optional<Resolution> resolution;  // of the output
};

// degrees: clockwise; 0, 90, 180 or 270.
Result<std::unique_ptr<PageReader>> Turned(std::unique_ptr<PageReader> page,
                                           int degrees);

// `pool` outlives the page.
Result<LaidPage> LayPicture(std::unique_ptr<PageReader> page,
                            const std::optional<Resolution>& dpi,
                            const std::optional<SizeWish>& size,
                            Scaling scaling, Pool& pool);

}  // namespace halftoned
