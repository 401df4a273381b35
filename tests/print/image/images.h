// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images in memory for tests: files from bytes, the gray samples that a file
// has when read, and TIFF and PNG files of any kind, written by libtiff and
// libpng.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/file/input_file.h"
#include "print/image/image.h"

namespace halftoned {

// A file in memory that holds `bytes`.
Descriptor MemoryFile(const std::string& bytes);
std::string ContentsOf(int fd);

struct Gray {
  int32_t width;
  int64_t rows;
  int depth;                      // 8 or 16
  std::vector<uint16_t> samples;  // row after row
  Metadata metadata;
};

// All pages, read at most `rows_at_once` rows at a time, into a room with
// padding between its rows if that is an odd number.
Result<std::vector<Gray>> ReadPages(const std::string& bytes,
                                    int32_t rows_at_once = 7);

// The samples of the only page of a file that must be good.
Gray ReadGray(const std::string& bytes, int32_t rows_at_once = 7);

// Sample `s` of the pixel at column x and row y, as a number of the format.
using SampleAt = std::function<double(int x, int y, int s)>;

// Pseudo-random numbers in 0 … 1, the same in every run.
double Noise(int x, int y, int s);
// The same as whole numbers below `limit`.
SampleAt NoiseBelow(double limit);

// Reads a file that may be malicious, and checks the result for properties that
// always hold.
bool IsRead(const std::string& bytes, const std::string& what);

// Fields as libtiff names them.
struct TiffSpec {
  uint32_t width = 37;
  uint32_t rows = 29;
  uint16_t bits = 8;
  uint16_t samples = 1;
  uint16_t sample_format = 1;
  uint16_t photometric = 1;
  uint16_t planar = 1;
  uint16_t compression = 1;
  uint16_t fill_order = 1;
  uint16_t orientation = 1;
  uint32_t rows_per_strip = 5;
  uint32_t tile = 0;  // width and height of tiles; 0: strips
  std::vector<uint16_t> extra_samples;
  const char* mode = "w";  // of libtiff: "wb" big-endian, "w8" BigTIFF
  int pages = 1;
};

// With a palette, where the photometric interpretation asks for one, of
// PaletteEntry.
std::string MakeTiff(const TiffSpec& spec, const SampleAt& at);
uint16_t PaletteEntry(int index, int color);

using GrayAt = std::function<uint32_t(int x, int y)>;
// That such a file is read as this gray.
void ExpectGray(const std::string& tiff, const TiffSpec& spec, int depth,
                const GrayAt& expected, const std::string& what);

// A TIFF file built by hand, little-endian: one directory at byte 8, entry by
// entry, and the data after it.
class Directory {
 public:
  Directory& Add(uint16_t tag, uint16_t type, uint32_t count, uint32_t value);
  Directory& Short(uint16_t tag, uint16_t value) {
    return Add(tag, 3, 1, value);
  }
  Directory& Long(uint16_t tag, uint32_t value) {
    return Add(tag, 4, 1, value);
  }

  // next: offset of the next directory; 0: none.
  std::string File(const std::string& data = "", uint32_t next = 0) const;
  // The offset of `data` after this many more entries.
  uint32_t data_offset(uint32_t more_entries = 0) const {
    return 8 + 2 + uint32_t(entries_.size()) + 12 * more_entries + 4;
  }

 private:
  std::string entries_;
  uint32_t count_ = 0;
};

struct PngSpec {
  uint32_t width = 37;
  uint32_t rows = 29;
  int bits = 8;
  int color_type = 0;
  bool interlaced = false;
};
std::string MakePng(const PngSpec& spec, const SampleAt& at);

}  // namespace halftoned
