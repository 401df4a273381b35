// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A PPD file, read by CUPS' own parser: the formats that its driver takes, and
// the raster that it requests from renderers. The only file of this program
// that uses libcups' PPD functions.

#pragma once

#include <cups/ppd.h>
#include <cups/raster.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace halftoned {

struct RasterKind {
  unsigned bits_per_colour;
  unsigned colour_space;  // cups_cspace_t of cups/raster.h
};

inline constexpr RasterKind kBlackBits{1, CUPS_CSPACE_K};
inline constexpr RasterKind kGrayBytes{8, CUPS_CSPACE_SW};

class PpdFile {
 public:
  // libcups needs quadratic time for a file, and more for its options. The
  // limits keep the time to seconds, and are several times as large as drivers
  // need.
  static constexpr size_t kMaxBytes = size_t{1} << 20;
  static constexpr size_t kMaxOptions = 256;
  static constexpr size_t kMaxBytesOfAllChoices = size_t{256} << 20;

  static Result<PpdFile> Parse(std::string_view text);

  std::string nick_name() const;

  bool HasOption(const char* keyword) const;
  // The number of choices, without custom ones.
  size_t ChoicesOf(const char* keyword) const;
  bool HasAttribute(const char* keyword) const;
  std::vector<std::string> ValuesOf(const char* keyword) const;

  // The width and height, in points, of the default page; nothing if the file
  // has none.
  std::optional<std::pair<double, double>> DefaultPageSize();

  // The lines that cupsd uses: cupsFilter2 if there are any, otherwise
  // cupsFilter.
  std::vector<std::string> FilterLines() const;

  // Whether rastertohalftone prints its queue, adopted or not.
  bool PrintsThroughUs() const;

  // Whether the file says that the printer prints in color.
  bool is_colour() const;

  // Whether some choice of the option asks for this kind, with defaults for
  // the other options.
  bool MayAskFor(const char* keyword, const RasterKind& kind);

  // Checks each choice of each option, with defaults for the others: all must
  // ask for one of these kinds. The error names one that does not. Refuses
  // files with too many options and choices to check.
  Result<void> CheckAsksFor(std::span<const RasterKind> kinds);
  Result<void> CheckAsksFor(const RasterKind& kind) {
    return CheckAsksFor(std::span(&kind, 1));
  }

 private:
  struct Closer {
    void operator()(ppd_file_t* ppd) const;
  };

  PpdFile(ppd_file_t* ppd, size_t bytes) : ppd_(ppd), bytes_(bytes) {}
  Result<void> CheckEffort() const;
  Result<void> CheckMarked(std::span<const RasterKind> kinds,
                           const std::string& choice);

  std::unique_ptr<ppd_file_t, Closer> ppd_;
  size_t bytes_;
};

}  // namespace halftoned
