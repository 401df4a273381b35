// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An ICC profile for CMYK that has no embedded profile; in it, full black is
// black. In Ghostscript's own profile, black ink is not quite black: it becomes
// 32 of 255, which prints with dots. Treating everything that dark as black
// would be wrong for pictures in RGB and gray; with this profile, only CMYK
// changes.
//
// Grays match those of Ghostscript's profile with the black point
// (look/tones/tone.h) of 32 that its pages get by default: they differ by 2 of
// 255 levels on average, by at most 10, and not at all on the scales of single
// inks. The profile contains only lightness, for output in gray. Some pages mix
// colors in CMYK; there, black ink alone replaces other colors.

#pragma once

#include <string>

namespace halftoned {

// Its bytes.
std::string CmykProfile();

}  // namespace halftoned
