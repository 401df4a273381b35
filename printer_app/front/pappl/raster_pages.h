// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the ends of pages in PWG raster and URF, from bytes in pieces of any
// size, and checks each page on the way:
//
//   pwg   = "RaS2" { header(1796) line }
//   urf   = "UNIRAST\0" pages(4) { header(32) line }
//   line  = repeats(1: one less) { run }             its pixels fill the width
//   run   = 0 … 127 pixel                            one pixel, 1 … 128 times
//         | 129 … 255 pixel { pixel }                128 … 2 pixels
//         | 128                                      white to the line's end
//
// Pages are 8-bit gray, as printers accept them: a pixel is a byte. Pure.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace halftoned {

class RasterPages {
 public:
  static constexpr uint32_t kMostWidth = 1 << 18;
  static constexpr uint32_t kMostRows = 1 << 20;

  // False from the first byte on that no such page has.
  bool Take(std::string_view bytes);

  // The reason why Take returned false.
  std::string Fault() const;

  // Whole pages, the bytes up to the end of the last one, and those after it.
  unsigned pages() const { return pages_; }
  uint64_t complete() const { return complete_; }
  uint64_t unfinished() const { return taken_ - complete_; }
  // Whether the header of another page has come. A part of a header is no page.
  bool is_within_page() const { return rows_left_ > 0; }

 private:
  enum class Next : uint8_t { kStart, kHeader, kRepeats, kRun, kPixels };

  // Takes bytes of `head_`; true: there are `size` of them.
  bool Gather(std::string_view& bytes, size_t size);
  bool TakeStart();
  bool TakeHeader();
  bool TakeRepeats(uint8_t byte);
  bool TakeRun(uint8_t byte);
  void EndRun();

  std::array<char, 1796> head_ = {};
  size_t gathered_ = 0;
  Next next_ = Next::kStart;
  bool is_bad_ = false;
  bool is_urf_ = false;
  uint32_t width_ = 0;
  uint32_t rows_left_ = 0;    // of the page, with the line that has begun
  uint32_t repeats_ = 0;      // rows of that line
  uint32_t pixels_left_ = 0;  // of it, after the run that has begun
  uint32_t run_bytes_ = 0;    // of the run, still to come
  unsigned pages_ = 0;
  uint64_t taken_ = 0;
  uint64_t complete_ = 0;
};

}  // namespace halftoned
