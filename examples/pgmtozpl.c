/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A label driver: reads a gray label (8-bit PGM) from standard input and writes
 * it to standard output as ZPL, in one call for the whole label.
 *
 *   cc pgmtozpl.c $(pkg-config --cflags --libs halftone) -o pgmtozpl
 *   ./pgmtozpl halftone-type=bi-level <label.pgm >label.zpl
 */
#include <halftoned/halftone.h>
#include <stdio.h>
#include <stdlib.h>

#include "pnm.h"

static int fail(const char* what) {
  fprintf(stderr, "pgmtozpl: %s\n", what);
  return 1;
}

int main(int argc, char** argv) {
  ht_layout layout = {0, 0, 0, 0, 0};
  ht_recipe* recipe;
  ht_error error;
  unsigned char *gray, *bits;
  size_t row_bytes, bytes, i;
  int width, height;

  /* Options of the caller come last, and so win. */
  char options[300];
  sprintf(options, "technology=thermal,dpi=203,%.200s",
          argc > 1 ? argv[1] : "");
  if (ht_recipe_new(options, NULL, &recipe, &error)) return fail(error.text);

  if (!read_pnm_header('5', &width, &height)) {
    return fail("standard input is not an 8-bit PGM file");
  }
  row_bytes = ht_recipe_row_bytes(recipe, width);
  if (row_bytes == 0 || height < 1 || height > 32000) {
    return fail("no label has this size");
  }
  bytes = row_bytes * (size_t)height;
  gray = (unsigned char*)malloc((size_t)width * (size_t)height);
  bits = (unsigned char*)malloc(bytes);
  if (!gray || !bits) return fail("out of memory");
  if (fread(gray, (size_t)width, (size_t)height, stdin) != (size_t)height) {
    return fail("standard input ends too early");
  }
  layout.width = width;
  if (ht_halftone(NULL, recipe, &layout, gray, 0, height, bits, 0, &error)) {
    return fail(error.text);
  }

  /* In ZPL 1 is ink, so all bits are inverted but those beyond the width. */
  printf("^XA^FO0,0^GFA,%lu,%lu,%lu,", (unsigned long)bytes,
         (unsigned long)bytes, (unsigned long)row_bytes);
  for (i = 0; i < bytes; ++i) {
    unsigned ink = ~bits[i] & 0xffu;
    if (i % row_bytes == row_bytes - 1) {
      ink &= 0xff00u >> ((width - 1) % 8 + 1);
    }
    printf("%02X", ink);
  }
  printf("^FS^XZ\n");
  free(gray);
  free(bits);
  ht_recipe_free(recipe);
  return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
