// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPS raster of one bit a dot (black) from standard input to PCL 5e on
// standard output, by the printer application's encoder: what rastertohp does.

#include <cups/raster.h>

#include <cstdio>
#include <vector>

#include "print/language/page_encoder.h"

namespace {

bool Flush(std::string& out) {
  const bool is_written =
      std::fwrite(out.data(), 1, out.size(), stdout) == out.size();
  out.clear();
  return is_written;
}

}  // namespace

int main() {
  cups_raster_t* raster = cupsRasterOpen(0, CUPS_RASTER_READ);
  if (!raster) return 1;
  const auto encoder = halftoned::MakePclEncoder();
  std::string out;
  halftoned::InkPage page;
  std::vector<unsigned char> row;
  encoder->BeginJob(out);
  while (cupsRasterReadHeader2(raster, &page.header)) {
    if (page.header.cupsBitsPerPixel != 1) return 1;
    row.resize(page.bytes_per_row());
    encoder->BeginPage(page, out);
    for (unsigned y = 0; y < page.header.cupsHeight; ++y) {
      if (cupsRasterReadPixels(raster, row.data(),
                               static_cast<unsigned>(row.size())) == 0) {
        return 1;
      }
      encoder->WriteRow(row, out);
      if (out.size() > 65536 && !Flush(out)) return 1;
    }
    encoder->EndPage(true, out);
  }
  encoder->EndJob(out);
  cupsRasterClose(raster);
  return Flush(out) ? 0 : 1;
}
