/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libhalftone: halftoning for drivers. Gray pages in, pages of few levels out,
 * most often of two: black and white.
 *
 * The output depends on the pixels and the recipe alone. Engine, number of
 * threads and the division into bands never change a bit of it.
 *
 * A program makes a recipe from a string of options, an engine, and then for
 * each page one of these:
 *
 *   whole     ht_halftone, for a page in memory;
 *   by bands  ht_page_open, then ht_page_lend, fill, ht_page_submit and
 *             ht_page_take in turn;
 *   by rows   ht_page_open, then ht_page_put and ht_page_get for each row, and
 *             ht_page_end.
 *
 * Gray is light: 0 is black, 255 (or 65535) is white. Samples of 16 bits are in
 * the byte order of the machine. Bits are light too: packed samples of 1, 2 or
 * 4 bits, the first in the most significant bits of a byte, each row from a
 * whole byte on; the unused bits of a row's last byte are 0. Printers often
 * want 1 for ink: invert what you send.
 *
 * Errors. Functions that can fail return an ht_status, which says what to do
 * next, and explain it in an ht_error where the caller passes one. They change
 * nothing else of what they were to return. The other functions need handles
 * that exist, but for those that free. Nothing is printed, nothing exits,
 * no C++ exception leaves the library, and memory that cannot be had is an
 * error like any other.
 *
 * Threads. Recipes and engines never change: all threads may use them at the
 * same time. A page is used by one thread at a time; several pages may be used
 * by several threads at the same time, with the same engine and recipe.
 *
 * fork. An engine with one thread may be used on both sides of a fork. An
 * engine with more may be used in a child if none of its pages had been given
 * a row before the fork. Otherwise the child leaves it and its pages alone,
 * and does not free them.
 *
 * The library has no state beside what its handles hold, opens no files, reads
 * no environment, and starts no threads but those of an engine.
 */
#ifndef HALFTONED_HALFTONE_H_
#define HALFTONED_HALFTONE_H_

#include <stddef.h>
#include <stdint.h>

/* The version that this header belongs to. ht_version says which one runs. */
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
  /* An option, an argument or a saved carry is wrong: change it. */
  HT_BAD_INPUT = 1,
  /* This machine cannot do it, or not now: there is no memory, or the
   * processor lacks what the engine needs. Try another engine, or later. */
  HT_UNAVAILABLE = 2,
  /* A mistake in the program: calls in an order that makes no sense, or a null
   * pointer. Or one in the library. */
  HT_BUG = 3
} ht_status;

typedef struct ht_error {
  ht_status status;
  /* A line for people, in UTF-8, without a full stop. Control characters of
   * the caller's input are replaced. Empty after success. */
  char text[252];
} ht_error;

/* All functions that take an ht_error accept a null pointer. */

/* ---- Versions ---- */

/* The library that runs, such as "0.1.0". */
HT_API const char* ht_version(void);

/* ---- Recipes: everything beside the pixels that decides the bits ---- */

typedef struct ht_recipe ht_recipe;

/* Makes a recipe.
 *
 * options: "name=value" pairs, separated by commas or blanks, such as
 *   "type=fine,dot-gain=20" or "halftone-type=fine halftone-dot-gain=20". Names
 *   and values are those of print jobs; "halftone-" may be left out. The manual
 *   halftone-settings(7) describes them. Of a name that is given twice the
 *   later value counts, so that defaults can come first. Null or empty: the
 *   defaults.
 *
 *     type          default auto, which is fine, or screen for lasers at a
 *                   resolution of 1000 and more.
 *                   fine, best, clustered, printer-model, floyd-steinberg,
 *                   bi-level, screen
 *     levels        default 2; 4, 8 and 16 with fine, floyd-steinberg and
 *                   screen
 *     text-edges    default off; gray pixels between black and white become
 *                   one of the two: crisp, in edges of one pixel; soft, also
 *                   in wider ones beside paper; barcode, also in bar codes.
 *                   Pure pixels then stay as they are
 *     cluster-size  of clustered, default 4: dots, 2 … 9
 *     dot-diameter  of printer-model, default 1.25: distances between dots,
 *                   1 … 1.6
 *     screen-lpi    of screen, default 0: lines an inch, 0 … 300; 0 suits
 *                   the resolution, which is 600 if it is not given
 *     screen-angle  of screen, default 45: degrees, 0 … 90
 *     resolution    dots an inch, 1 … 19200: "600" or "1200x600"; as print jobs
 *                   have it, "600dpi", too
 *     technology    default laser; inkjet, thermal
 *     dot-gain      percent, 0 … 45. Without it the correction follows from
 *                   resolution and technology; without both there is none
 *     black-point   default 0: of 255, 0 … 63; 32 suits Ghostscript's pages
 *     contrast      default 0: percent, -100 … 100
 *     brightness    default 0: percent, -100 … 100
 *     gamma         default 1: 0.1 … 10; above 1 lightens
 *     tone-aim      default linear: gray is light in proportion; screen: it
 *                   looks as on a screen, which is what renderers mean
 *     toner-save    default 0: percent of ink, 0 … 75
 *
 * tone_curve: null, or the printer's measured curve, which replaces dot-gain:
 *   lines "input output", light in 0 … 255, the first 0 0, the last 255 255.
 *
 * HT_BAD_INPUT names the option that is wrong. Free the recipe with
 * ht_recipe_free; pages that were opened with it do not need it any more. */
HT_API ht_status ht_recipe_new(const char* options, const char* tone_curve,
                               ht_recipe** recipe, ht_error* error);

/* Null is allowed. */
HT_API void ht_recipe_free(ht_recipe* recipe);

/* The type, such as "fine". The text lives as long as the library. */
HT_API const char* ht_recipe_type(const ht_recipe* recipe);

/* The version of the type: another version may give other bits. */
HT_API int ht_recipe_type_version(const ht_recipe* recipe);

/* 2, 4, 8 or 16. */
HT_API int ht_recipe_levels(const ht_recipe* recipe);

/* Bits of an output sample: 1 for 2 levels, 2 for 4, 4 for 8 and 16. The
 * darkest level is 0, white has all bits set, and those between are evenly
 * spaced; of 8 levels the samples are the nearest of 16. */
HT_API int ht_recipe_bits_per_sample(const ht_recipe* recipe);

/* Bytes of an output row of `width` columns; 0 for a width that no page has. */
HT_API size_t ht_recipe_row_bytes(const ht_recipe* recipe, int32_t width);

/* ---- Engines: what does the work ---- */

typedef struct ht_engine ht_engine;

/* Makes an engine.
 *
 * name: "avx512", "avx2", "ssse3", "neon" or "scalar"; null or "auto": for each
 * page the fastest that serves its recipe. All give the same bits. A page that
 * an engine does not serve cannot be opened: HT_UNAVAILABLE.
 *
 * threads: 1: none; the work is done within the calls, on the caller's thread.
 * 2 … 256: as many of the engine's own, which all its pages share and which
 * start with the first row; 0: one per processor.
 *
 * HT_BAD_INPUT for a name that does not exist on this kind of machine,
 * HT_UNAVAILABLE if its processor cannot run that engine. Free the engine with
 * ht_engine_free. Pages keep what they need of it; the last of them ends the
 * threads. */
HT_API ht_status ht_engine_new(const char* name, int threads,
                               ht_engine** engine, ht_error* error);

/* Null is allowed. */
HT_API void ht_engine_free(ht_engine* engine);

/* ---- Pages ---- */

/* What a page is like. Set it to zeros first: zero is the default of every
 * member but width. */
typedef struct ht_layout {
  /* Columns: 1 … 262144. */
  int32_t width;
  /* Of a gray sample: 8 or 16; 0 means 8. */
  int32_t bits_per_sample;
  /* The number of the first row to come, 0 … 2^32 - 1: above 0 for a page that
   * continues. */
  int64_t first_row;
  /* Rows to lend at a time, 1 … 1048576, of at most 1 GiB together; 0: the
   * library chooses 64 … 256. */
  int32_t rows_per_band;
  /* 0. */
  int32_t reserved;
} ht_layout;

/* Halftones a page that is in memory, and returns when it is done.
 *
 * engine: null stands for "auto" with one thread.
 * gray: `rows` rows, each gray_stride bytes after the one before; a stride of 0
 *   means that they follow each other without a gap. Samples of 16 bits need an
 *   even address and an even stride.
 * bits: as many rows of ht_recipe_row_bytes bytes, bits_stride apart, or 0 as
 *   above. They do not overlap the gray. Bytes between rows are not touched.
 *   After an error their content is undefined.
 * rows: 0 … 2^32 - first_row. */
HT_API ht_status ht_halftone(const ht_engine* engine, const ht_recipe* recipe,
                             const ht_layout* layout, const void* gray,
                             size_t gray_stride, int64_t rows, void* bits,
                             size_t bits_stride, ht_error* error);

typedef struct ht_page ht_page;

/* Opens a page, whose height need not be known.
 *
 * carry: what ht_page_save_carry saved below the row above first_row, with the
 *   same recipe and width, if the page continues there; one with numbers that
 *   no page has is refused. Null, of 0 bytes: the page begins. The library does
 *   not keep it.
 *
 * Free the page with ht_page_free. Engine and recipe may be freed before. */
HT_API ht_status ht_page_open(const ht_engine* engine, const ht_recipe* recipe,
                              const ht_layout* layout, const void* carry,
                              size_t carry_bytes, ht_page** page,
                              ht_error* error);

/* Ends a page at any time, and cancels what is left of it. Null is allowed. */
HT_API void ht_page_free(ht_page* page);

/* The engine that does the work, such as "avx2". The text lives as long as the
 * library. */
HT_API const char* ht_page_engine(const ht_page* page);

/* After an error of ht_page_lend, submit, take, put, end or get the page is
 * lost: they give only that error. */

/* ---- By bands ---- */

/* Memory for the gray rows of a band. */
typedef struct ht_room {
  unsigned char* gray;
  size_t bytes_per_row;
  /* The most that fit. 0: there is no room before another ht_page_take. */
  int32_t rows;
  int32_t reserved;
} ht_room;

/* Lends the room for the next band; it is the caller's until it is submitted.
 * The same one again, if it was lent and not submitted. Does not wait. HT_BUG
 * after the band that ended the page. */
HT_API ht_status ht_page_lend(ht_page* page, ht_room* room, ht_error* error);

/* Gives the room back with its first `rows` rows filled: 1 … the rows lent, or
 * 0 if `last`. last: not 0 ends the page. Does not wait for the work, unless
 * the engine has one thread and does it here. */
HT_API ht_status ht_page_submit(ht_page* page, int32_t rows, int last,
                                ht_error* error);

/* Finished rows. */
typedef struct ht_rows {
  const unsigned char* bits;
  size_t bytes_per_row;
  /* The number of the first one on the page. */
  int64_t first_row;
  int32_t rows;
  int32_t reserved;
} ht_rows;

/* Waits for the answer to the oldest band that has none: one for each band, in
 * order. The answers lag behind with text-edges, with crisp a row, with soft
 * 8 … 15, with barcode 64 … 71; with type=best 36 … 51 more. The one to the
 * last band has the rest. The rows stay valid until the next ht_page_take or
 * ht_page_free. */
HT_API ht_status ht_page_take(ht_page* page, ht_rows* rows, ht_error* error);

/* 1 if ht_page_take would return an answer without waiting, else 0. */
HT_API int ht_page_ready(ht_page* page);

/* ---- By rows ---- */

/* Gives the next row: width samples, which are copied. Precondition: since the
 * row before, ht_page_get has been called until it gave no row. */
HT_API ht_status ht_page_put(ht_page* page, const void* gray, ht_error* error);

/* Ends the page; further rows are refused. Precondition: as for ht_page_put. */
HT_API ht_status ht_page_end(ht_page* page, ht_error* error);

/* Sets *bits to the next finished row, of ht_recipe_row_bytes bytes, or to null
 * if none is finished. It waits for the work only where no further row could be
 * put; and after ht_page_end, where null means that the page is complete. The
 * row stays valid until the next call for this page. */
HT_API ht_status ht_page_get(ht_page* page, const unsigned char** bits,
                             ht_error* error);

/* ---- Carries: to continue a page elsewhere ---- */

/* Bytes of a saved carry, the same for all rows of the page. */
HT_API size_t ht_page_carry_bytes(const ht_page* page);

/* Saves the state below the rows of the last ht_page_take, or of the page's
 * beginning: what a page with the same recipe and width needs to continue with
 * the row after them, in any process, on any machine and any engine.
 * bytes: the room at `carry`, at least ht_page_carry_bytes.
 *
 * After rows of type=best, the page continues with rows that have been
 * submitted before: keep the last 51. Below the last row of its page a carry
 * begins another page.
 *
 * HT_BAD_INPUT for a page with text-edges, whose rows depend on later ones
 * too. HT_BUG for a page by rows. */
HT_API ht_status ht_page_save_carry(ht_page* page, void* carry, size_t bytes,
                                    ht_error* error);

#ifdef __cplusplus
}
#endif

#endif /* HALFTONED_HALFTONE_H_ */
