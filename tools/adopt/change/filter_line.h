// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of a cupsFilter or cupsFilter2 statement, as cupsd reads it:
//
//   cupsFilter  = source " " cost " " program
//   cupsFilter2 = source " " destination " " cost " " program
//   program     = [ "maxsize(" bytes ") " ] name | "-"

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace halftoned {

inline constexpr char kCupsRaster[] = "application/vnd.cups-raster";
inline constexpr char kCupsPdf[] = "application/vnd.cups-pdf";
inline constexpr char kCupsCommand[] = "application/vnd.cups-command";
inline constexpr char kFoomaticRip[] = "foomatic-rip";
inline constexpr char kHalftoneRip[] = "halftone-rip";
inline constexpr char kPwgRaster[] = "image/pwg-raster";
inline constexpr char kOurFilter[] = "rastertohalftone";
inline constexpr char kOurPdfFilter[] = "pdftohalftone";
inline constexpr char kHalftonedRaster[] = "application/x-halftoned-raster";

struct FilterLine {
  std::string source;
  std::string destination;  // empty in cupsFilter
  std::string cost;
  std::string program;  // to the end of the line

  static Result<FilterLine> Parse(std::string_view value, bool has_destination);

  bool is_for_raster() const;
  bool is_for_commands() const;
  // Whether its printer takes the source unchanged.
  bool is_without_driver() const { return program == "-"; }
  bool is_for_pwg_printer() const;
  // Whether it prints documents with Ghostscript.
  bool is_for_ghostscript() const;
  bool names_program(std::string_view name) const;

  // The line that accepts our dots: a cupsFilter2 that takes 1-bit raster
  // instead of raster; the same line with halftone-rip, which stands in for
  // Ghostscript; or a line that makes PWG raster for the printer. Empty if
  // there is no such line.
  std::string Adopted() const;
};

}  // namespace halftoned
