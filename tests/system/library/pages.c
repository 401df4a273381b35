/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pages of noise of every type, by bands, with each engine that runs here, for
 * memory checkers: every byte that the library gives is looked at. Prints a sum
 * for each page. */

#include <halftoned/halftone.h>
#include <stdio.h>
#include <stdlib.h>

static const char* const kEngines[] = {"auto", "ssse3", "scalar"};

static const char* const kOptions[] = {
    "halftone-type=fine",
    "halftone-type=fine,text-edges=crisp,dpi=600",
    "halftone-type=clustered,dpi=600,toner-save=20",
    "halftone-type=floyd-steinberg",
    "halftone-type=floyd-steinberg,levels=4,gamma=2",
    "halftone-type=floyd-steinberg,text-edges=crisp",
    "halftone-type=bi-level"};

static unsigned noise_state = 1;

static unsigned char noise(void) {
  noise_state = noise_state * 1103515245u + 12345u;
  return (unsigned char)(noise_state >> 16);
}

static void must(ht_status status, const ht_error* error) {
  if (status == HT_OK) return;
  fprintf(stderr, "%s\n", error->text);
  exit(1);
}

static unsigned sum_of(const unsigned char* bytes, size_t count) {
  unsigned sum = 0;
  size_t i;
  for (i = 0; i < count; ++i) {
    if (bytes[i] & 1) sum += (unsigned)i;
    if (bytes[i] & 128) ++sum;
  }
  return sum;
}

static void print_page(ht_page* page, size_t row_bytes, int rows) {
  const size_t carry_bytes = ht_page_carry_bytes(page);
  unsigned char* carry = malloc(carry_bytes);
  unsigned sum = 0;
  int left = rows;
  ht_error error;
  while (left > 0) {
    ht_room room;
    ht_rows done;
    size_t i;
    int row;
    must(ht_page_lend(page, &room, &error), &error);
    if (room.rows > left) room.rows = left;
    left -= room.rows;
    for (i = 0; i < room.bytes_per_row * (size_t)room.rows; ++i) {
      room.gray[i] = noise();
    }
    must(ht_page_submit(page, room.rows, left == 0, &error), &error);
    must(ht_page_take(page, &done, &error), &error);
    for (row = 0; row < done.rows; ++row) {
      sum += sum_of(done.bits + (size_t)row * done.bytes_per_row, row_bytes);
    }
    if (ht_page_save_carry(page, carry, carry_bytes, NULL) == HT_OK) {
      sum += sum_of(carry, carry_bytes);
    }
  }
  printf("%s: %u\n", ht_page_engine(page), sum);
  free(carry);
}

static void print_pages(const ht_engine* engine, const ht_recipe* recipe) {
  static const ht_layout layouts[] = {
      {37, 8, 0, 64, 0}, {333, 16, 0, 0, 0}, {1500, 8, 0, 64, 0}};
  size_t i;
  for (i = 0; i < sizeof layouts / sizeof *layouts; ++i) {
    ht_page* page;
    ht_error error;
    const ht_status status =
        ht_page_open(engine, recipe, &layouts[i], NULL, 0, &page, &error);
    if (status == HT_UNAVAILABLE) return; /* the engine has not this type */
    must(status, &error);
    print_page(page, ht_recipe_row_bytes(recipe, layouts[i].width), 130);
    ht_page_free(page);
  }
}

int main(void) {
  size_t i, j;
  for (i = 0; i < sizeof kEngines / sizeof *kEngines; ++i) {
    ht_engine* engine;
    if (ht_engine_new(kEngines[i], i == 0 ? 2 : 1, &engine, NULL) != HT_OK) {
      continue; /* of another processor */
    }
    for (j = 0; j < sizeof kOptions / sizeof *kOptions; ++j) {
      ht_recipe* recipe;
      ht_error error;
      must(ht_recipe_new(kOptions[j], NULL, &recipe, &error), &error);
      print_pages(engine, recipe);
      ht_recipe_free(recipe);
    }
    ht_engine_free(engine);
  }
  return 0;
}
