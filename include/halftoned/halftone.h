/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libhalftone halftones pages for drivers: it converts gray to a few levels,
 * usually black and white.
 *
 * The output depends only on the pixels and the recipe. The engine, the number
 * of threads and the division into bands never change a bit.
 *
 * A program makes a recipe from a string of options, and an engine. It then
 * halftones each page in one of these ways:
 *
 *   whole     ht_halftone, for a page in memory;
 *   by bands  ht_page_open, then repeat ht_page_lend, fill, ht_page_submit and
 *             ht_page_take;
 *   by rows   ht_page_open, then ht_page_put and ht_page_get for each row, and
 *             ht_page_end.
 *
 * Gray values are amounts of light: 0 is black, and 255 (or 65535) is white.
 * 16-bit samples are in the byte order of the machine. Output samples are also
 * amounts of light. They have 1, 2 or 4 bits, and the first sample of a byte is
 * in its most significant bits. Each row starts with a new byte; the unused
 * bits of its last byte are 0. Many printers use 1 for ink: invert the output
 * for these.
 *
 * Errors. Functions that can fail return an ht_status, which tells the caller
 * what to do next, and explain it in an ht_error if the caller passes one.
 * After an error, a function leaves its other outputs unchanged, unless its
 * description says otherwise. Functions that cannot fail require valid handles,
 * except those that free handles, which accept null. The library never prints
 * or exits, and no C++ exception leaves it. Lack of memory is an error like any
 * other.
 *
 * Threads. Recipes and engines never change: any number of threads can use them
 * at the same time. Only one thread at a time can use a page. Several threads
 * can use several pages at the same time, with the same engine and recipe.
 *
 * fork. An engine with one thread can be used on both sides of a fork. An
 * engine with more threads can be used in a child if none of its pages received
 * a row before the fork. Otherwise the child must neither use nor free the
 * engine or its pages.
 *
 * The library has no state outside its handles. It opens no files, reads no
 * environment variables, and starts no threads except those of an engine.
 */
#ifndef HALFTONED_HALFTONE_H_
#define HALFTONED_HALFTONE_H_

#include <stddef.h>
#include <stdint.h>

/* The version of this header. ht_version returns the version of the library. */
#define HT_VERSION_MAJOR 0
#define HT_VERSION_MINOR 1
#define HT_VERSION_PATCH 0

#if defined(__GNUC__)
#define HT_API __attribute__((visibility("default")))
#else
#define HT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---- */

typedef enum ht_status {
  HT_OK = 0,
  /* An option, an argument or a saved carry is invalid: change it. */
  HT_BAD_INPUT = 1,
  /* The machine lacks memory, or its CPU cannot run the engine. Try again
   * later, or try another engine. */
  HT_UNAVAILABLE = 2,
  /* A bug in the program, such as calls in the wrong order or a null pointer;
   * or a bug in the library. */
  HT_BUG = 3
} ht_status;

typedef struct ht_error {
  ht_status status;
  /* A message for users: one line of UTF-8, without a final period. Control
   * characters in the caller's input are replaced. Empty after success. */
  char text[252];
} ht_error;

/* Functions with an ht_error argument accept a null pointer for it. */

/* ---- Versions ---- */

/* Returns the version of the library, such as "0.1.0". */
HT_API const char* ht_version(void);

/* ---- Recipes: everything that determines the output, except pixels ---- */

typedef struct ht_recipe ht_recipe;

/* Makes a recipe.
 *
 * options: "name=value" pairs, separated by commas or blanks, such as
 *   "halftone-type=fine,dot-gain=20". halftone-settings(7) describes the
 *   settings and lists their defaults for programs; the names of job options,
 *   such as halftone-dot-gain, are valid too. A later value overrides an
 *   earlier one of the same name, so defaults can come first. Null or empty:
 *   the defaults. This option exists only in the library:
 *
 *     dpi  resolution, 1 … 19200: "600" or "1200x600"; "600dpi", as in print
 *          jobs, is also valid. With dpi, the technology and the resolution
 *          determine the correction for dot gain, unless dot-gain is given.
 *          Without dpi, there is no correction unless dot-gain is given
 *
 * tone_curve: null, or the measured curve of the printer, which replaces
 * dot-gain. Each line contains an input and an output, both amounts of light
 * from 0 to 255. The first line is 0 0, and the last is 255 255.
 *
 * After HT_BAD_INPUT, the message names the invalid option. Free the recipe
 * with ht_recipe_free; open pages do not need it. */
HT_API ht_status ht_recipe_new(const char* options, const char* tone_curve,
                               ht_recipe** recipe, ht_error* error);

/* Accepts null. */
HT_API void ht_recipe_free(ht_recipe* recipe);

/* Returns the halftone type, such as "fine". The text is valid as long as the
 * library is loaded. */
HT_API const char* ht_recipe_type(const ht_recipe* recipe);

/* Returns the version of the type: other versions can give other bits. */
HT_API int ht_recipe_type_version(const ht_recipe* recipe);

/* Returns 2, 4, 8 or 16. */
HT_API int ht_recipe_levels(const ht_recipe* recipe);

/* Returns the number of bits per output sample: 1 for 2 levels, 2 for 4, 4 for
 * 8 and 16. Black is 0, white has all bits set, and the other levels are evenly
 * spaced. With 8 levels, a sample has the nearest of 16 values. */
HT_API int ht_recipe_bits_per_sample(const ht_recipe* recipe);

/* Returns the number of bytes per output row of `width` columns; 0 if the width
 * is invalid. */
HT_API size_t ht_recipe_row_bytes(const ht_recipe* recipe, int32_t width);

/* ---- Engines: implementations for different CPUs ---- */

typedef struct ht_engine ht_engine;

/* Makes an engine.
 *
 * name: "avx512", "avx2", "ssse3", "neon", "wasm" or "scalar"; null or "auto"
 * selects, for each page, the fastest engine that supports the recipe. All
 * engines give the same bits. If an engine does not support a page, opening the
 * page returns HT_UNAVAILABLE.
 *
 * threads: 1: the calls do the work, on the caller's thread. 2 … 256: the
 * number of threads of the engine; all its pages share these threads, which
 * start with the first row. 0: one thread per CPU core.
 *
 * Returns HT_BAD_INPUT if this kind of machine has no such engine, and
 * HT_UNAVAILABLE if its CPU cannot run the engine. Free the engine with
 * ht_engine_free. Open pages keep its threads until the last page is freed. */
HT_API ht_status ht_engine_new(const char* name, int threads,
                               ht_engine** engine, ht_error* error);

/* Accepts null. */
HT_API void ht_engine_free(ht_engine* engine);

/* ---- Pages ---- */

/* The layout of a page. Set all members to 0 first: 0 is the default of every
 * member except width. */
typedef struct ht_layout {
  /* Columns: 1 … 262144. */
  int32_t width;
  /* Bits per gray sample: 8 or 16; 0 means 8. */
  int32_t bits_per_sample;
  /* The number of the first row, 0 … 2^32 - 1: above 0 if the page continues
   * another one. */
  int64_t first_row;
  /* Rows to lend at a time, 1 … 1048576, and at most 1 GiB; 0: the library
   * chooses 64 … 256. */
  int32_t rows_per_band;
  /* Must be 0. */
  int32_t reserved;
} ht_layout;

/* Halftones a page in memory, and returns when it is complete.
 *
 * engine: null means "auto" with one thread.
 * gray: `rows` rows, gray_stride bytes apart; a stride of 0 means that rows are
 *   contiguous. 16-bit samples need an even address and an even stride.
 * bits: as many rows of ht_recipe_row_bytes bytes, bits_stride bytes apart; a
 *   stride of 0 has the same meaning as above. They must not overlap the gray.
 *   Bytes between rows do not change. After an error, the bits are undefined.
 * rows: 0 … 2^32 - first_row. */
HT_API ht_status ht_halftone(const ht_engine* engine, const ht_recipe* recipe,
                             const ht_layout* layout, const void* gray,
                             size_t gray_stride, int64_t rows, void* bits,
                             size_t bits_stride, ht_error* error);

typedef struct ht_page ht_page;

/* Opens a page. Its height need not be known.
 *
 * carry: for a page that continues at first_row, the state that
 * ht_page_save_carry saved below the row before it, with the same recipe and
 * width. A carry with impossible numbers is refused. Null, with carry_bytes 0,
 * begins a new page. The library does not keep the pointer.
 *
 * Free the page with ht_page_free. Engine and recipe can be freed before it. */
HT_API ht_status ht_page_open(const ht_engine* engine, const ht_recipe* recipe,
                              const ht_layout* layout, const void* carry,
                              size_t carry_bytes, ht_page** page,
                              ht_error* error);

/* Cancels the unfinished work of a page and frees the page. Can be called at
 * any time. Accepts null. */
HT_API void ht_page_free(ht_page* page);

/* Returns the engine of the page, such as "avx2". The text is valid as long as
 * the library is loaded. */
HT_API const char* ht_page_engine(const ht_page* page);

/* After an error in ht_page_lend, submit, take, put, end or get, the page
 * cannot continue: these functions return the same error again. */

/* ---- By bands ---- */

/* Memory for the gray rows of a band. */
typedef struct ht_room {
  unsigned char* gray;
  size_t bytes_per_row;
  /* Maximum number of rows. 0: call ht_page_take first. */
  int32_t rows;
  int32_t reserved;
} ht_room;

/* Lends the memory for the next band to the caller until it is submitted. If it
 * is already lent, returns the same memory. Does not wait. Returns HT_BUG after
 * the band that ended the page. */
HT_API ht_status ht_page_lend(ht_page* page, ht_room* room, ht_error* error);

/* Submits the first `rows` rows of the lent memory: 1 … the number lent, or 0
 * if `last`. last: nonzero ends the page. Does not wait for the work. An engine
 * with one thread, however, does the work during this call. */
HT_API ht_status ht_page_submit(ht_page* page, int32_t rows, int last,
                                ht_error* error);

/* Finished rows. */
typedef struct ht_rows {
  const unsigned char* bits;
  size_t bytes_per_row;
  /* The first row's number on the page. */
  int64_t first_row;
  int32_t rows;
  int32_t reserved;
} ht_rows;

/* Waits for the result of the oldest submitted band. Each band has one result,
 * and results arrive in order. With text-edges, results lag behind: 1 row for
 * crisp, 120 … 127 for soft and barcode. With halftone-type=best, they lag by
 * 36 … 51 more rows. The last result has the remaining rows. The rows are valid
 * until the next ht_page_take or ht_page_free. */
HT_API ht_status ht_page_take(ht_page* page, ht_rows* rows, ht_error* error);

/* Returns 1 if ht_page_take would not wait, otherwise 0. */
HT_API int ht_page_ready(ht_page* page);

/* ---- By rows ---- */

/* Copies the next row: width samples. Precondition: after the previous row, the
 * caller has called ht_page_get until it returned no row. */
HT_API ht_status ht_page_put(ht_page* page, const void* gray, ht_error* error);

/* Ends the page; further rows are refused. Precondition: as for ht_page_put. */
HT_API ht_status ht_page_end(ht_page* page, ht_error* error);

/* Sets *bits to the next finished row, of ht_recipe_row_bytes bytes, or to null
 * if no row is finished. Waits only if the page cannot accept another row, or
 * after ht_page_end. After ht_page_end, null means that the page is complete.
 * The row is valid until the next call for this page. */
HT_API ht_status ht_page_get(ht_page* page, const unsigned char** bits,
                             ht_error* error);

/* ---- Carries: to continue a page elsewhere ---- */

/* Returns the size of a saved carry in bytes, the same for all rows of the
 * page. */
HT_API size_t ht_page_carry_bytes(const ht_page* page);

/* Saves the state below the rows of the last ht_page_take, or at the beginning
 * of the page. A page with the same recipe and width can continue from it with
 * the next row, in any process, on any machine and with any engine.
 *
 * bytes: the size of `carry`, at least ht_page_carry_bytes.
 *
 * With halftone-type=best, some rows below the saved state have already been
 * submitted. Submit them again to the continued page: keep the last 51 rows
 * that you submitted. A page that is opened with the carry saved below the last
 * row of another page starts as a new page.
 *
 * Returns HT_BAD_INPUT for a page with text-edges, whose rows also depend on
 * later rows, and HT_BUG for a page by rows. */
HT_API ht_status ht_page_save_carry(ht_page* page, void* carry, size_t bytes,
                                    ht_error* error);

/* ---- Palettes: color for e-paper ---- */

/* A panel shows 2 … 16 colors. These functions convert a page of sRGB, three
 * bytes per pixel, to a page of indices of these colors, one byte per pixel.
 * Errors are diffused in linear light. Black and white become the darkest and
 * the lightest color of the panel. Colors that the panel cannot mix become the
 * nearest colors that it can mix. A pixel that equals a color of the palette,
 * as sent or as measured, gets the index of that color and receives no error,
 * so flat areas stay flat.
 *
 * The indices depend only on the pixels and the palette. A palette never
 * changes: any number of threads can use it at the same time. */
typedef struct ht_palette ht_palette;

/* Makes a palette.
 *
 * colors: a name, such as "spectra6" (halftone-convert(1) lists them); or 2 …
 * 16 colors, separated by commas or blanks, such as "#0a070e=#000000
 *   #adb2ae=#ffffff #55180e=#ff0000". The first color of a pair is the one that
 *   the panel shows, as measured: the sRGB color that looks the same. The
 *   second, which can be omitted, is the color that the panel's driver expects.
 *   A semicolon begins a comment, which ends with the line. One more word,
 *   "tone-compression=" and 0 … 100, can follow: 100 is the default; with 0,
 *   tones keep their light, and tones darker than the panel's black or lighter
 *   than its white are lost. Free the palette with ht_palette_free; open pages
 *   do not need it. */
HT_API ht_status ht_palette_new(const char* colors, ht_palette** palette,
                                ht_error* error);

/* Accepts null. */
HT_API void ht_palette_free(ht_palette* palette);

/* Returns the number of colors, 2 … 16. */
HT_API int ht_palette_count(const ht_palette* palette);

/* Returns the color of an index as the driver expects it: 0xRRGGBB. Returns 0
 * if there is no such index. */
HT_API uint32_t ht_palette_sent(const ht_palette* palette, int index);

/* Returns the color of an index as the panel shows it: 0xRRGGBB. Returns 0 if
 * there is no such index. */
HT_API uint32_t ht_palette_measured(const ht_palette* palette, int index);

/* Halftones a page in memory, on the caller's thread.
 *
 * engine: as for ht_halftone; only its name matters.
 * width: columns, 1 … 262144.
 * rgb: `rows` rows, rgb_stride bytes apart; a stride of 0 means that rows are
 *   contiguous.
 * indices: as many rows of `width` bytes, index_stride bytes apart; a stride of
 *   0 has the same meaning as above. They must not overlap the pixels. Bytes
 *   between rows do not change.
 * rows: 0 … 2^31 - 1. */
HT_API ht_status ht_palette_halftone(const ht_engine* engine,
                                     const ht_palette* palette, int32_t width,
                                     const void* rgb, size_t rgb_stride,
                                     int64_t rows, void* indices,
                                     size_t index_stride, ht_error* error);

typedef struct ht_palette_page ht_palette_page;

/* Opens a page for ht_palette_page_put. Opening allocates about 6 bytes per
 * column; ht_palette_page_put allocates nothing. Free the page with
 * ht_palette_page_free. Engine and palette can be freed before it. */
HT_API ht_status ht_palette_page_open(const ht_engine* engine,
                                      const ht_palette* palette, int32_t width,
                                      ht_palette_page** page, ht_error* error);

/* Accepts null. */
HT_API void ht_palette_page_free(ht_palette_page* page);

/* Halftones the next rows of the page; arguments as for ht_palette_halftone.
 * The number of rows in each call does not affect the indices; calls with 32
 * rows are the fastest. HT_BAD_INPUT leaves the page unchanged. */
HT_API ht_status ht_palette_page_put(ht_palette_page* page, const void* rgb,
                                     size_t rgb_stride, int64_t rows,
                                     void* indices, size_t index_stride,
                                     ht_error* error);

#ifdef __cplusplus
}
#endif

#endif /* HALFTONED_HALFTONE_H_ */
