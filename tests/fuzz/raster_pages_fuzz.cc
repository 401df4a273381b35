// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raster as the printer application's front finds its pages: pieces of any size
// give the same pages, and libcups reads just these from the bytes that reach
// it, without asking for more.

#include <cups/raster.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "printer_app/front/pappl/raster_pages.h"

namespace {

using namespace halftoned;  // NOLINT

void Expect(bool is_so) {
  if (!is_so) std::abort();
}

ssize_t ReadSome(void* data, unsigned char* room, size_t size) {
  auto& left = *static_cast<std::string_view*>(data);
  const size_t some = std::min(size, left.size());
  std::memcpy(room, left.data(), some);
  left.remove_prefix(some);
  return static_cast<ssize_t>(some);
}

unsigned ReadByCups(std::string_view bytes) {
  cups_raster_t* raster = cupsRasterOpenIO(ReadSome, &bytes, CUPS_RASTER_READ);
  if (!raster) return 0;
  unsigned pages = 0;
  cups_page_header2_t header;
  while (cupsRasterReadHeader2(raster, &header)) {
    std::vector<unsigned char> row(header.cupsBytesPerLine);
    for (unsigned y = 0; y < header.cupsHeight; ++y) {
      Expect(cupsRasterReadPixels(raster, row.data(),
                                  header.cupsBytesPerLine) == row.size());
    }
    ++pages;
  }
  cupsRasterClose(raster);
  return pages;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1,
                               size - 1);
  const size_t piece = data[0] + 1U;
  RasterPages whole;
  RasterPages pieces;
  bool is_good = true;
  for (size_t at = 0; at < bytes.size(); at += piece) {
    is_good = pieces.Take(bytes.substr(at, piece));
  }
  Expect(whole.Take(bytes) == is_good);
  Expect(whole.pages() == pieces.pages());
  Expect(whole.complete() == pieces.complete());
  Expect(whole.complete() <= bytes.size());
  if (whole.pages() > 0) {
    Expect(ReadByCups(bytes.substr(0, whole.complete())) == whole.pages());
  }
  return 0;
}
