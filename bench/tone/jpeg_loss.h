// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The losses of JPEG: compresses a picture and reads it again.

#pragma once

#include "calibrate/sheet/gray_picture.h"

namespace halftoned::bench {

// quality: 1 … 100.
void LoseAsJpeg(GrayPicture& picture, int quality);

}  // namespace halftoned::bench
