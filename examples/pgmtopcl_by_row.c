/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The same driver as pgmtopcl.c, for a host that hands over one row at a time,
 * as CUPS and PAPPL do: start_page, write_row and end_page are its callbacks.
 * Finished rows come out some time after they went in.
 *
 *   cc pgmtopcl_by_row.c $(pkg-config --cflags --libs halftone) \
 *     -o pgmtopcl_by_row
 *   ./pgmtopcl_by_row 600 toner-save=20 <page.pgm >page.pcl
 */
#include <halftoned/halftone.h>
#include <stdio.h>
#include <stdlib.h>

#include "pnm.h"

typedef struct driver {
  ht_recipe* recipe;
  ht_page* page;
  int width;
  size_t row_bytes; /* of a halftoned row */
  ht_error error;
} driver;

static int start_page(driver* d, int width, int dpi) {
  ht_layout layout = {0, 0, 0, 0, 0};
  d->width = layout.width = width;
  d->row_bytes = ht_recipe_row_bytes(d->recipe, width);
  if (ht_page_open(NULL, d->recipe, &layout, NULL, 0, &d->page, &d->error)) {
    return 0;
  }
  printf("\033E\033*t%dR\033*r%dS\033*r1A\033*b0M", dpi, width);
  return 1;
}

/* Sends all rows that are finished. In PCL 1 is ink, so all bits are inverted
 * but those beyond the width. */
static int send_finished(driver* d) {
  const unsigned char* row;
  while (!ht_page_get(d->page, &row, &d->error)) {
    const size_t last = d->row_bytes - 1;
    size_t j;
    if (!row) return 1;
    printf("\033*b%luW", (unsigned long)d->row_bytes);
    for (j = 0; j < last; ++j) putchar(~row[j] & 0xff);
    putchar(~row[last] & 0xff & (0xff00 >> ((d->width - 1) % 8 + 1)));
  }
  return 0;
}

static int write_row(driver* d, const unsigned char* gray) {
  return !ht_page_put(d->page, gray, &d->error) && send_finished(d);
}

static int end_page(driver* d) {
  const int is_done = !ht_page_end(d->page, &d->error) && send_finished(d);
  if (is_done) printf("\033*rC\f\033E");
  ht_page_free(d->page);
  return is_done;
}

/* ---- What the host does ---- */

static void fail(const char* what) {
  fprintf(stderr, "pgmtopcl_by_row: %s\n", what);
  exit(1);
}

int main(int argc, char** argv) {
  char options[300];
  const int dpi = argc > 1 ? atoi(argv[1]) : 600;
  int width, height, i;
  unsigned char* row;
  driver d;

  sprintf(options,
          "black-point=32,print-feedback=100,text-edges=soft,tone-aim=display,"
          "dpi=%d,%.200s",
          dpi, argc > 2 ? argv[2] : "");
  if (ht_recipe_new(options, NULL, &d.recipe, &d.error)) fail(d.error.text);
  if (!read_pnm_header('5', &width, &height)) {
    fail("standard input is not an 8-bit PGM file");
  }
  if (!start_page(&d, width, dpi)) fail(d.error.text);
  row = (unsigned char*)malloc((size_t)width);
  if (!row) fail("out of memory");
  for (i = 0; i < height; ++i) {
    if (fread(row, 1, (size_t)width, stdin) != (size_t)width) {
      fail("standard input ends too early");
    }
    if (!write_row(&d, row)) fail(d.error.text);
  }
  if (!end_page(&d)) fail(d.error.text);
  free(row);
  ht_recipe_free(d.recipe);
  return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
