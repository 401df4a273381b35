/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads the header of an 8-bit PGM file from standard input. Ghostscript, GIMP
 * and other programs write comments into it.
 */
#ifndef EXAMPLES_PGM_H_
#define EXAMPLES_PGM_H_

#include <ctype.h>
#include <stdio.h>

/* The next number, after white space and comments; -1 if there is none. */
static int read_pgm_number(void) {
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

/* Returns 0 if standard input does not begin with such a header. Samples
 * follow. */
static int read_pgm_header(int* width, int* height) {
  if (getchar() != 'P' || getchar() != '5') return 0;
  *width = read_pgm_number();
  *height = read_pgm_number();
  return read_pgm_number() == 255 && isspace(getchar()) && *width > 0 &&
         *height > 0;
}

#endif
