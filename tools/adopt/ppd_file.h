// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A PPD file as CUPS itself reads it: what its driver takes, and what raster a
// renderer is asked for. The only file of this program that knows libcups' PPD
// functions.

#ifndef HALFTONED_TOOLS_ADOPT_PPD_FILE_H_
#define HALFTONED_TOOLS_ADOPT_PPD_FILE_H_

#include <cups/ppd.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace halftoned {

struct RasterKind {
  unsigned bits_per_colour;
  unsigned colour_space;  // of cups/raster.h
};

class PpdFile {
 public:
  static Result<PpdFile> Parse(std::string_view text);

  std::string nick_name() const;

  bool HasOption(const char* keyword) const;
  bool HasAttribute(const char* keyword) const;
  std::vector<std::string> ValuesOf(const char* keyword) const;

  // cupsd reads cupsFilter2 if there is any, else cupsFilter.
  std::vector<std::string> FilterLines() const;

  // Whether, of each option, each choice, the others being the defaults, asks
  // for this kind; if not, the error says which does not.
  Result<void> CheckAsksFor(const RasterKind& kind);

 private:
  struct Closer {
    void operator()(ppd_file_t* ppd) const;
  };

  explicit PpdFile(ppd_file_t* ppd) : ppd_(ppd) {}
  Result<void> CheckMarked(const RasterKind& kind, const std::string& choice);

  std::unique_ptr<ppd_file_t, Closer> ppd_;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_PPD_FILE_H_
