// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/page_mark.h"

#include <cstring>

namespace halftoned {
namespace {

bool Has(const PageHeader& header, const char* mark) {
  return std::strncmp(header.OutputType, mark, sizeof(header.OutputType)) == 0;
}

}  // namespace

PageMark MarkOf(const PageHeader& header) {
  if (Has(header, kListedMark)) return PageMark::kListed;
  return Has(header, kRenderedMark) ? PageMark::kRendered : PageMark::kNone;
}

PageHeader WithoutMark(const PageHeader& header) {
  PageHeader plain = header;
  if (MarkOf(header) != PageMark::kNone) {
    std::memset(plain.OutputType, 0, sizeof(plain.OutputType));
  }
  return plain;
}

}  // namespace halftoned
