// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An ICC profile for CMYK without a profile of its own, in which full black is
// black. Ghostscript's own profile knows that black ink is not: it makes 32 of
// 255 of it, which are dots. To take all that is as dark for black would be
// wrong for pictures in RGB and gray; with this profile only CMYK changes.
//
// Grays are what Ghostscript's profile makes of inks, with the black point
// (look/tones/tone.h) of 32 that pages from it have by default: in the mean 2
// levels of 255 away, at most 10, and on the scales of single inks none. The
// profile says lightness alone, for output in gray.

#pragma once

#include <string>

namespace halftoned {

// Its bytes.
std::string CmykProfile();

}  // namespace halftoned
