// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The supported formats. The first bytes of an input tell its format; the name
// of an output tells which to write.

#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "print/file/input_file.h"
#include "print/file/output_file.h"
#include "print/image/image.h"

namespace halftoned {

// An output format. --format, its help, messages and checks all come from the
// table of formats.
struct OutputFormat {
  std::string_view name;                       // for --format
  std::array<std::string_view, 2> extensions;  // the usual one first
  int least_levels;                            // that a file can hold
  int most_levels;
  bool has_pages;                             // a file can hold several
  bool has_software_text;                     // software.h
  std::span<const Compression> compressions;  // that can be chosen
  // `file` outlives the writer.
  std::unique_ptr<ImageWriter> (*make_writer)(OutputFile& file,
                                              const OutputOptions& options);

  bool is_tiff() const { return name == "tiff"; }
  bool Takes(Compression compression) const {
    return std::ranges::count(compressions, compression) > 0;
  }
  bool Holds(int levels) const {
    return levels >= least_levels && levels <= most_levels;
  }
};

// All output formats; the first is the default for folders.
std::span<const OutputFormat> OutputFormats();

// The format with that name, or of files with that extension, ignoring case;
// null if there is none.
const OutputFormat* FormatCalled(std::string_view name);

// The text after the last dot of the file name in `path`; empty if there is
// none.
std::string_view ExtensionOf(std::string_view path);

// `file` outlives the image. The error of any other format is kUnknownFormat.
Result<std::unique_ptr<ImageReader>> OpenImage(InputFile& file,
                                               const ImageTrust& trust = {});
// The same with pages of sRGB, from PNG, JPEG and PNM only.
Result<std::unique_ptr<ImageReader>> OpenColorImage(
    InputFile& file, const ImageTrust& trust = {});
inline constexpr std::string_view kUnknownFormat =
    "is not TIFF, PNG, JPEG or PNM";

}  // namespace halftoned
