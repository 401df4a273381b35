// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The minimum that a raster filter can do: reads 8-bit rows and writes 1-bit
// rows of the same page through libcups, many rows a call, without looking at a
// pixel. Whatever rastertohalftone takes longer than this is halftoning.
//
// pass_through < gray.ras > bits.ras

#include <cups/raster.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

int main() {
  constexpr unsigned kRowsAtOnce = 256;
  cups_raster_t* in = cupsRasterOpen(STDIN_FILENO, CUPS_RASTER_READ);
  cups_raster_t* out = cupsRasterOpen(STDOUT_FILENO, CUPS_RASTER_WRITE);
  cups_page_header2_t header;
  std::vector<unsigned char> gray;
  std::vector<unsigned char> bits;
  while (in && out && cupsRasterReadHeader2(in, &header)) {
    const unsigned gray_line = header.cupsBytesPerLine;
    header.cupsBitsPerColor = header.cupsBitsPerPixel = 1;
    header.cupsBytesPerLine = (header.cupsWidth + 7) / 8;
    header.cupsColorSpace = CUPS_CSPACE_K;
    header.cupsNumColors = 1;
    const unsigned bit_line = header.cupsBytesPerLine;
    if (!cupsRasterWriteHeader2(out, &header)) return 1;
    gray.resize(gray_line * kRowsAtOnce);
    bits.resize(bit_line * kRowsAtOnce);
    for (unsigned left = header.cupsHeight; left > 0;) {
      const unsigned rows = std::min(left, kRowsAtOnce);
      if (cupsRasterReadPixels(in, gray.data(), rows * gray_line) !=
              rows * gray_line ||
          cupsRasterWritePixels(out, bits.data(), rows * bit_line) !=
              rows * bit_line) {
        return 1;
      }
      left -= rows;
    }
  }
  cupsRasterClose(in);
  cupsRasterClose(out);
  return 0;
}
