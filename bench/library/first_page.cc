// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first small page of a process: loads libhalftone, halftones 300 x 300
// pixels, and prints the milliseconds that this took. The program itself is
// linked with the C library alone, as drivers are.
//
//   library_first_page LIBHALFTONE OPTIONS

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "halftoned/halftone.h"

static unsigned char gray[300 * 300];
static unsigned char bits[38 * 300];

static double Milliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * static_cast<double>(now.tv_sec) +
         1e-6 * static_cast<double>(now.tv_nsec);
}

static void* Must(void* found) {
  if (found) return found;
  fprintf(stderr, "%s\n", dlerror());
  exit(1);
}

int main(int, char** argv) {
  for (size_t i = 0; i < sizeof(gray); ++i) {
    gray[i] = static_cast<unsigned char>(i * i / 7);
  }
  const ht_layout layout = {300, 8, 0, 0, 0};
  ht_recipe* recipe;
  ht_error error;

  const double start = Milliseconds();
  void* library = Must(dlopen(argv[1], RTLD_NOW | RTLD_LOCAL));
  const double loaded = Milliseconds();
  const auto recipe_new = reinterpret_cast<decltype(&ht_recipe_new)>(
      Must(dlsym(library, "ht_recipe_new")));
  const auto halftone = reinterpret_cast<decltype(&ht_halftone)>(
      Must(dlsym(library, "ht_halftone")));
  if (recipe_new(argv[2], nullptr, &recipe, &error) ||
      halftone(nullptr, recipe, &layout, gray, 0, 300, bits, 0, &error)) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  const double end = Milliseconds();
  printf("%.3f %.3f\n", end - start, loaded - start);
  return 0;
}
