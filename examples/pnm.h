/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads the header of an 8-bit PGM or PPM file from standard input.
 * Ghostscript, GIMP and other programs write comments into it.
 */
#ifndef EXAMPLES_PNM_H_
#define EXAMPLES_PNM_H_

#include <ctype.h>
#include <stdio.h>

/* The next number, after white space and comments; -1 if there is none. */
static int read_pnm_number(void) {
  int number;
  int c = getchar();
  while (isspace(c) || c == '#') {
    if (c == '#') {
      while (c != '\n' && c != EOF) c = getchar();
    } else {
      c = getchar();
    }
  }
  ungetc(c, stdin);
  return scanf("%d", &number) == 1 ? number : -1;
}

/* kind: '5' for PGM, '6' for PPM. Returns 0 if standard input does not begin
 * with such a header. Samples follow. */
static int read_pnm_header(char kind, int* width, int* height) {
  if (getchar() != 'P' || getchar() != kind) return 0;
  *width = read_pnm_number();
  *height = read_pnm_number();
  return read_pnm_number() == 255 && isspace(getchar()) && *width > 0 &&
         *height > 0;
}

#endif
