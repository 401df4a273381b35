// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What JPEG does to a picture: it is compressed, and read again.

#ifndef HALFTONED_BENCH_TONE_JPEG_LOSS_H_
#define HALFTONED_BENCH_TONE_JPEG_LOSS_H_

#include "calibrate/sheet/gray_picture.h"

namespace halftoned::bench {

// quality: 1 … 100.
void LoseAsJpeg(GrayPicture& picture, int quality);

}  // namespace halftoned::bench

#endif  // HALFTONED_BENCH_TONE_JPEG_LOSS_H_
