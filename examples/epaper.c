/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A picture for an e-paper display of 2, 4, 8 or 16 levels: reads 8-bit PGM
 * from standard input and writes the frame as such controllers take it, 8, 4 or
 * 2 pixels a byte, the first in the highest bits, 0 black.
 *
 *   cc epaper.c $(pkg-config --cflags --libs halftone) -o epaper
 *   ./epaper 16 gamma=0.8 <picture.pgm >frame.raw
 */
#include <halftoned/halftone.h>
#include <stdio.h>
#include <stdlib.h>

#include "pnm.h"

static int fail(const char* what) {
  fprintf(stderr, "epaper: %s\n", what);
  return 1;
}

int main(int argc, char** argv) {
  ht_layout layout = {0, 0, 0, 0, 0};
  ht_recipe* recipe;
  ht_error error;
  unsigned char *gray, *frame;
  size_t row_bytes;
  int width, height;

  char options[300];
  sprintf(options, "levels=%.20s,%.200s", argc > 1 ? argv[1] : "2",
          argc > 2 ? argv[2] : "");
  if (ht_recipe_new(options, NULL, &recipe, &error)) return fail(error.text);

  if (!read_pnm_header('5', &width, &height)) {
    return fail("standard input is not an 8-bit PGM file");
  }
  row_bytes = ht_recipe_row_bytes(recipe, width);
  if (row_bytes == 0 || height < 1 || height > 20000) {
    return fail("no display has this size");
  }
  gray = (unsigned char*)malloc((size_t)width * (size_t)height);
  frame = (unsigned char*)malloc(row_bytes * (size_t)height);
  if (!gray || !frame) return fail("out of memory");
  if (fread(gray, (size_t)width, (size_t)height, stdin) != (size_t)height) {
    return fail("standard input ends too early");
  }
  layout.width = width;
  if (ht_halftone(NULL, recipe, &layout, gray, 0, height, frame, 0, &error)) {
    return fail(error.text);
  }
  fwrite(frame, row_bytes, (size_t)height, stdout);
  free(gray);
  free(frame);
  ht_recipe_free(recipe);
  return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
