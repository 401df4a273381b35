// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library without memory: every allocation fails once, the first, the
// second and so on, on whatever thread. Each time the page comes out whole, or
// the caller is told; and nothing is left behind.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <string_view>
#include <vector>

#include "halftoned/halftone.h"

namespace {

std::atomic<long> allocations = 0;
std::atomic<long> fails_at = 0;  // 0: never
std::atomic<long> living = 0;

void* Allocate(size_t bytes, size_t alignment) {
  if (++allocations == fails_at) throw std::bad_alloc();
  const size_t size = (bytes + alignment - 1) / alignment * alignment;
  void* memory = alignment > alignof(std::max_align_t)
                     ? std::aligned_alloc(alignment, size)
                     : std::malloc(bytes > 0 ? bytes : 1);
  if (!memory) throw std::bad_alloc();
  ++living;
  return memory;
}

void Free(void* memory) {
  if (memory) --living;
  std::free(memory);
}

}  // namespace

void* operator new(size_t bytes) { return Allocate(bytes, 1); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<size_t>(alignment));
}
// What the standard library's algorithms use for room that they can do without.
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return Allocate(bytes, 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete(void* memory, size_t) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  Free(memory);
}

namespace {

constexpr int32_t kWidth = 1100;  // threads share it
constexpr int32_t kRows = 600;
constexpr size_t kRowBytes = (kWidth + 7) / 8;

// A page in memory, without an allocation of C++.
struct Buffers {
  uint8_t gray[size_t{kWidth} * kRows];
  uint8_t bits[kRowBytes * kRows];
};
Buffers buffers;

// A way to make the page.
using Way = ht_status (*)(const ht_engine* engine, const ht_recipe* recipe,
                          ht_error* error);

constexpr ht_layout kLayout = {kWidth, 8, 0, 100, 0};

ht_status AtOnce(const ht_engine* engine, const ht_recipe* recipe,
                 ht_error* error) {
  return ht_halftone(engine, recipe, &kLayout, buffers.gray, 0, kRows,
                     buffers.bits, 0, error);
}

ht_status SubmitBand(ht_page* page, int32_t* row, ht_error* error) {
  ht_room room;
  if (ht_page_lend(page, &room, error)) return error->status;
  const int32_t rows = std::min(room.rows, kRows - *row);
  std::memcpy(room.gray, buffers.gray + size_t{kWidth} * *row,
              size_t{kWidth} * rows);
  *row += rows;
  return ht_page_submit(page, rows, *row == kRows, error);
}

ht_status TakeBand(ht_page* page, ht_error* error) {
  ht_rows rows;
  if (ht_page_take(page, &rows, error)) return error->status;
  std::memcpy(buffers.bits + kRowBytes * rows.first_row, rows.bits,
              kRowBytes * rows.rows);
  static uint8_t carry[1 << 16];
  return ht_page_save_carry(page, carry, sizeof(carry), error);
}

ht_status ByBands(const ht_engine* engine, const ht_recipe* recipe,
                  ht_error* error) {
  ht_page* page;
  if (ht_page_open(engine, recipe, &kLayout, nullptr, 0, &page, error)) {
    return error->status;
  }
  ht_status status = HT_OK;
  int32_t row = 0;
  int in_flight = 0;
  while (status == HT_OK && (row < kRows || in_flight > 0)) {
    if (row < kRows && in_flight < 2) {
      status = SubmitBand(page, &row, error);
      ++in_flight;
    } else {
      status = TakeBand(page, error);
      --in_flight;
    }
  }
  ht_page_free(page);
  return status;
}

ht_status ByRows(const ht_engine* engine, const ht_recipe* recipe,
                 ht_error* error) {
  ht_page* page;
  if (ht_page_open(engine, recipe, &kLayout, nullptr, 0, &page, error)) {
    return error->status;
  }
  ht_status status = HT_OK;
  uint8_t* out = buffers.bits;
  for (int32_t row = 0; status == HT_OK && row <= kRows; ++row) {
    status = row < kRows
                 ? ht_page_put(page, buffers.gray + size_t{kWidth} * row, error)
                 : ht_page_end(page, error);
    const unsigned char* bits = nullptr;
    while (status == HT_OK && !(status = ht_page_get(page, &bits, error)) &&
           bits) {
      std::memcpy(out, bits, kRowBytes);
      out += kRowBytes;
    }
  }
  ht_page_free(page);
  return status;
}

// From options to bits.
ht_status MakePage(Way way, const char* options, int threads, ht_error* error) {
  ht_recipe* recipe;
  if (ht_recipe_new(options, nullptr, &recipe, error)) return error->status;
  ht_engine* engine;
  ht_status status = ht_engine_new("auto", threads, &engine, error);
  if (status == HT_OK) {
    status = way(engine, recipe, error);
    ht_engine_free(engine);
  }
  ht_recipe_free(recipe);
  return status;
}

struct Case {
  const char* name;
  Way way;
  const char* options;
  int threads;
};

class LibraryMemory : public ::testing::TestWithParam<Case> {};

TEST_P(LibraryMemory, CanFailAtAnyAllocation) {
  for (size_t i = 0; i < sizeof(buffers.gray); ++i) {
    buffers.gray[i] = static_cast<uint8_t>(i * i / 7 % 5 == 0 ? 255 : i % 251);
  }
  const auto& [name, way, options, threads] = GetParam();
  ht_error error;
  ASSERT_EQ(MakePage(way, options, threads, &error), HT_OK) << error.text;
  const std::vector<uint8_t> expected(std::begin(buffers.bits),
                                      std::end(buffers.bits));
  int failed = 0;
  for (long number = 1;; ++number) {
    std::memset(buffers.bits, 0, sizeof(buffers.bits));
    const long living_before = living;
    allocations = 0;
    fails_at = number;
    const ht_status status = MakePage(way, options, threads, &error);
    fails_at = 0;
    const bool has_failed = allocations >= number;
    ASSERT_EQ(living, living_before) << "allocation " << number;
    if (status == HT_OK) {
      ASSERT_EQ(std::memcmp(buffers.bits, expected.data(), expected.size()), 0)
          << "allocation " << number;
    } else {
      ASSERT_EQ(status, HT_UNAVAILABLE) << error.text;
      ASSERT_NE(std::string_view(error.text).find("memory"),
                std::string_view::npos)
          << error.text;
      ++failed;
    }
    if (!has_failed) break;
  }
  EXPECT_GT(failed, 10);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, LibraryMemory,
    ::testing::Values(
        Case{"at_once", AtOnce, "halftone-type=fine,dpi=600", 1},
        Case{"at_once_crisp", AtOnce, "text-edges=crisp", 1},
        Case{"by_bands", ByBands, "halftone-type=clustered", 1},
        Case{"by_bands_on_threads", ByBands, "halftone-type=fine", 3},
        Case{"by_rows", ByRows, "halftone-type=floyd-steinberg,levels=2", 1},
        Case{"by_rows_crisp_on_threads", ByRows, "text-edges=crisp", 3}),
    [](const auto& param) { return param.param.name; });

// Small machines run the definition row by row. Only `best`, which looks ahead,
// allocates after the first bands.
TEST(LibraryMemory, RowsByTheDefinitionAllocateNothing) {
  constexpr ht_layout kRowByRow = {kWidth, 8, 0, 8, 0};
  ht_engine* engine;
  ASSERT_EQ(ht_engine_new("scalar", 1, &engine, nullptr), HT_OK);
  for (const char* options :
       {"halftone-type=fine", "halftone-type=fine,levels=16",
        "halftone-type=fine,print-feedback=100", "halftone-type=clustered",
        "halftone-type=floyd-steinberg,levels=4", "halftone-type=stucki",
        "halftone-type=screen", "halftone-type=blue-noise",
        "halftone-type=bi-level", "halftone-type=fine,text-edges=crisp"}) {
    ht_error error;
    ht_recipe* recipe;
    ASSERT_EQ(ht_recipe_new(options, nullptr, &recipe, &error), HT_OK)
        << error.text;
    ht_page* page;
    ASSERT_EQ(
        ht_page_open(engine, recipe, &kRowByRow, nullptr, 0, &page, &error),
        HT_OK)
        << error.text;
    long allocated = 0;
    for (int32_t row = 0; row < kRows; ++row) {
      if (row == 64) allocated = allocations;
      ASSERT_EQ(ht_page_put(page, buffers.gray + size_t{kWidth} * row, &error),
                HT_OK)
          << error.text;
      const unsigned char* bits = nullptr;
      do {
        ASSERT_EQ(ht_page_get(page, &bits, &error), HT_OK) << error.text;
      } while (bits);
    }
    EXPECT_EQ(allocations, allocated) << options;
    ht_page_free(page);
    ht_recipe_free(recipe);
  }
  ht_engine_free(engine);
}

// A small machine halftones a panel's picture row by row.
TEST(LibraryMemory, PalettesAllocateNothingForRows) {
  for (size_t i = 0; i < sizeof(buffers.gray); ++i) {
    buffers.gray[i] = static_cast<uint8_t>(i * i / 7);
  }
  for (const char* name : {"scalar", "auto"}) {
    ht_engine* engine;
    ASSERT_EQ(ht_engine_new(name, 1, &engine, nullptr), HT_OK);
    ht_palette* palette;
    ASSERT_EQ(ht_palette_new("spectra6", &palette, nullptr), HT_OK);
    ht_palette_page* page;
    ASSERT_EQ(ht_palette_page_open(engine, palette, kWidth / 3, &page, nullptr),
              HT_OK);
    const long allocated = allocations;
    for (size_t row = 0; row < kRows; ++row) {
      ASSERT_EQ(ht_palette_page_put(page, buffers.gray + kWidth * row, 0, 1,
                                    buffers.bits, 0, nullptr),
                HT_OK);
    }
    EXPECT_EQ(allocations, allocated) << name;
    ht_palette_page_free(page);
    ht_palette_free(palette);
    ht_engine_free(engine);
  }
}

}  // namespace
