// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the module gives to JavaScript besides the functions of halftone.h and
// an allocator. No exception leaves it.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftoned/halftone.h"

#define HALFTONED_EXPORT extern "C" __attribute__((used, visibility("default")))

// Halftone types, settings and palettes as JSON; the text is valid forever.
// Null if memory is exhausted.
HALFTONED_EXPORT const char* web_description();

// The light, 0 … 4080, that each of the 256 grays becomes.
HALFTONED_EXPORT void web_tones(const ht_recipe* recipe, uint16_t* tones);

// Rows of sRGB with alpha, four bytes a pixel, become gray (one byte) or sRGB
// (three bytes), as a PNG file's do in `halftone convert`. False if memory is
// exhausted. width: 1 … 262144.
HALFTONED_EXPORT bool web_gray(const std::byte* rgba, int32_t width,
                               int32_t rows, std::byte* gray);
HALFTONED_EXPORT bool web_rgb(const std::byte* rgba, int32_t width,
                              int32_t rows, std::byte* rgb);
