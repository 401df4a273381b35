/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A picture for a color e-paper panel, one row at a time: reads 8-bit PPM from
 * standard input and writes the panel's buffer as the controllers of such
 * panels take it, two pixels a byte, the first in the higher four bits. After
 * the start it allocates no memory and needs no thread: a small machine can do
 * the same.
 *
 *   cc panel.c $(pkg-config --cflags --libs halftone) -o panel
 *   ./panel spectra6 012356 <picture.ppm >buffer.raw
 *
 * The second argument has the controller's code of each color of the palette,
 * as a hexadecimal digit; without it, they are numbered from 0.
 */
#include <halftoned/halftone.h>
#include <stdio.h>
#include <string.h>

#include "pnm.h"

enum { kMostColumns = 1600 };

static int fail(const char* what) {
  fprintf(stderr, "panel: %s\n", what);
  return 1;
}

/* Replaces each index by the controller's code, two a byte. */
static void pack(const unsigned char* indices, int width, const char* codes,
                 unsigned char* packed) {
  int i;
  for (i = 0; i < width; ++i) {
    const char digit = codes[indices[i]];
    const int code = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    if (i % 2 == 0) {
      packed[i / 2] = (unsigned char)(code << 4);
    } else {
      packed[i / 2] |= (unsigned char)code;
    }
  }
}

int main(int argc, char** argv) {
  static unsigned char rgb[3 * kMostColumns];
  static unsigned char indices[kMostColumns];
  static unsigned char packed[kMostColumns / 2];
  const char* codes = argc > 2 ? argv[2] : "0123456789abcdef";
  ht_palette* palette;
  ht_palette_page* page;
  ht_error error;
  size_t row_bytes;
  int width, height, i;

  if (ht_palette_new(argc > 1 ? argv[1] : "spectra6", &palette, &error)) {
    return fail(error.text);
  }
  if (strspn(codes, "0123456789abcdef") != strlen(codes) ||
      strlen(codes) < (size_t)ht_palette_count(palette)) {
    return fail("the codes must be one hexadecimal digit for each color");
  }
  if (!read_pnm_header('6', &width, &height)) {
    return fail("standard input is not an 8-bit PPM file");
  }
  if (width > kMostColumns) return fail("the picture is too wide");
  if (ht_palette_page_open(NULL, palette, width, &page, &error)) {
    return fail(error.text);
  }
  row_bytes = (size_t)(width + 1) / 2;
  for (i = 0; i < height; ++i) {
    if (fread(rgb, 3, (size_t)width, stdin) != (size_t)width) {
      return fail("standard input ends too early");
    }
    if (ht_palette_page_put(page, rgb, 0, 1, indices, 0, &error)) {
      return fail(error.text);
    }
    pack(indices, width, codes, packed);
    fwrite(packed, 1, row_bytes, stdout); /* or send it to the panel */
  }
  ht_palette_page_free(page);
  ht_palette_free(palette);
  return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
