/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A printer driver in C, band by band: reads a gray page (8-bit PGM) from
 * standard input and writes it to standard output for a laser that speaks
 * PCL 5e.
 *
 *   cc pgmtopcl.c $(pkg-config --cflags --libs halftone) -o pgmtopcl
 *   ./pgmtopcl 600 toner-save=20 <page.pgm >page.pcl
 */
#include <halftoned/halftone.h>
#include <stdio.h>
#include <stdlib.h>

#include "pnm.h"

static void fail(const char* what) {
  fprintf(stderr, "pgmtopcl: %s\n", what);
  exit(1);
}

/* Ends the program if a call of the library has failed. */
static void check(ht_status status, const ht_error* error) {
  if (status != HT_OK) fail(error->text);
}

/* Reads as many rows as fit into the room, at most `left`. */
static int32_t fill(const ht_room* room, int32_t left) {
  const int32_t rows = left < room->rows ? left : room->rows;
  const size_t bytes = room->bytes_per_row * (size_t)rows;
  if (fread(room->gray, 1, bytes, stdin) != bytes) {
    fail("standard input ends too early");
  }
  return rows;
}

/* In PCL 1 is ink, so all bits are inverted but those beyond the width. */
static void send(const ht_rows* rows, int width) {
  int32_t i;
  for (i = 0; i < rows->rows; ++i) {
    const unsigned char* row = rows->bits + (size_t)i * rows->bytes_per_row;
    const size_t last = rows->bytes_per_row - 1;
    size_t j;
    printf("\033*b%luW", (unsigned long)rows->bytes_per_row);
    for (j = 0; j < last; ++j) putchar(~row[j] & 0xff);
    putchar(~row[last] & 0xff & (0xff00 >> ((width - 1) % 8 + 1)));
  }
}

int main(int argc, char** argv) {
  char options[300];
  const int dpi = argc > 1 ? atoi(argv[1]) : 600;
  ht_layout layout = {0, 0, 0, 0, 0};
  ht_recipe* recipe;
  ht_page* page;
  ht_error error;
  int width, height;
  int32_t left;

  sprintf(options,
          "black-point=32,print-feedback=100,text-edges=soft,tone-aim=display,"
          "dpi=%d,%.200s",
          dpi, argc > 2 ? argv[2] : "");
  check(ht_recipe_new(options, NULL, &recipe, &error), &error);
  if (!read_pnm_header('5', &width, &height)) {
    fail("standard input is not an 8-bit PGM file");
  }
  layout.width = width;
  check(ht_page_open(NULL, recipe, &layout, NULL, 0, &page, &error), &error);

  printf("\033E\033*t%dR\033*r%dS\033*r1A\033*b0M", dpi, width);
  for (left = height; left > 0;) {
    ht_room room;
    ht_rows rows;
    int32_t filled;
    check(ht_page_lend(page, &room, &error), &error);
    filled = fill(&room, left);
    left -= filled;
    check(ht_page_submit(page, filled, left == 0, &error), &error);
    check(ht_page_take(page, &rows, &error), &error);
    send(&rows, width);
  }
  printf("\033*rC\f\033E");

  ht_page_free(page);
  ht_recipe_free(recipe);
  return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
