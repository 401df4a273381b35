// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What JPEG does to a picture: it is compressed, and read again.

#pragma once

#include "calibrate/sheet/gray_picture.h"

namespace halftoned::bench {

// quality: 1 … 100.
void LoseAsJpeg(GrayPicture& picture, int quality);

}  // namespace halftoned::bench
