// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The orientation in which a printer expects the back of a sheet: a PPD file's
// cupsBackSide, which is pwg-raster-document-sheet-back of PWG 5102.4.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace halftoned {

enum class SheetBack { kNormal, kFlipped, kRotated, kManualTumble };

// Nothing if the word is unknown.
std::optional<SheetBack> SheetBackOf(std::string_view word);

struct BackTurn {
  bool mirrors_rows = false;  // each from right to left
  bool ends_first = false;    // the last row comes first

  bool any() const { return mirrors_rows || ends_first; }
};

BackTurn TurnOf(SheetBack back, bool is_tumbled);

// width: of the row, in bits. Bits beyond it are 0 before and after.
void MirrorBits(std::span<uint8_t> row, size_t width);

}  // namespace halftoned
