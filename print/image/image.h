// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of all image formats: pages of gray rows to read, pages of
// halftoned rows to write, and the metadata of a page.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "halftone/page/band.h"
#include "halftone/page/page.h"
#include "halftone/run/flow.h"
#include "print/file/temporary_file.h"

namespace halftoned {

// Pixels per inch, both above 0 and finite; or numbers without a unit, which
// give the shape of a pixel but not its size.
struct Resolution {
  double x;
  double y;
  bool has_unit = true;

  friend bool operator==(const Resolution&, const Resolution&) = default;
};

// `resolution`, if it is plausible; files contain zeros, infinities and NaN.
std::optional<Resolution> Plausible(const Resolution& resolution);

// Texts are UTF-8; empty if missing.
struct Metadata {
  std::optional<Resolution> resolution;
  std::string title;
  std::string description;
  std::string author;
  std::string copyright;
  std::string date;  // "YYYY:MM:DD HH:MM:SS"
};

// An error if a page cannot have this width. Readers check that it is not 0.
Result<void> CheckWidth(int64_t width);

// What rows of a page contain: gray; or sRGB, three bytes per pixel, where the
// page's depth is 8 bits.
enum class Pixels { kGray, kRgb };

struct PageInfo {
  Page page;
  int64_t rows;  // 1 … Page::kMaxRows
  Metadata metadata;
  Pixels pixels = Pixels::kGray;

  size_t bytes_per_pixel() const {
    return pixels == Pixels::kRgb ? 3 : BytesPerSample(page.depth());
  }
  size_t bytes_per_row() const {
    return bytes_per_pixel() * static_cast<size_t>(page.width());
  }
};

// A page to read, from its first row to its last. Derived classes read the
// rows; this class counts them.
class PageReader : public Source {
 public:
  const PageInfo& info() const { return info_; }
  Result<Filled> Read(GrayRoom room) final;

 protected:
  explicit PageReader(PageInfo info) : info_(std::move(info)) {}

  // Fills exactly the rows of `room`. Never called for more rows than there
  // are.
  virtual Result<void> ReadRows(const GrayRoom& room) = 0;

 private:
  const PageInfo info_;
  int64_t rows_read_ = 0;
};

class ImageReader {
 public:
  virtual ~ImageReader() = default;

  // The next page; null after the last. The previous page must no longer be
  // used, and need not have been read to its end. The image outlives its pages.
  virtual Result<std::unique_ptr<PageReader>> Next() = 0;
};

// Grants bytes of memory, which count as used until the pointer is gone; an
// error if they are too many. Can wait for memory that others use.
using TakeMemory = std::function<Result<std::shared_ptr<void>>(int64_t bytes)>;

// With compression, a few bytes can claim a page of any size. Every file may
// have this many pixels of one byte: A0 at 800 dpi in gray. Larger pages must
// be in some proportion to the file's size.
struct ImageTrust {
  static constexpr int64_t kAnySize = std::numeric_limits<int64_t>::max();

  int64_t free_pixels = int64_t{1} << 30;
  std::string_view remedy = {};  // how to read the image anyway, for the error
  // Asked while an image is opened, before its reader takes memory for all
  // pixels at once. Readers then skip metadata of any length. Empty: memory is
  // not shared.
  TakeMemory take_memory = {};
  // Asked before a page is read that needs a temporary file.
  TakeDisk take_disk = {};

  Error TooManyPixels() const {
    std::string what = "has too many pixels for a file of this size";
    if (!remedy.empty()) what.append("; ").append(remedy);
    return BadInput(std::move(what));
  }
};

enum class Compression { kNone, kPackBits, kDeflate, kLzw, kG4 };

// Options of writers. Each writer has defaults, and ignores options of other
// formats.
struct OutputOptions {
  std::optional<Compression> compression;
  bool big_tiff = false;       // used for large pages in any case
  std::string made_from = {};  // for the software text; empty: not stated
};

struct BitPage {
  int32_t width;
  int64_t rows;
  int bits_per_sample;  // 1, 2 or 4; for PNG also 8
  Metadata metadata;
  // For PNG: samples are indices of these sRGB colors. Empty: they are gray.
  std::vector<std::array<uint8_t, 3>> palette = {};
};

// Writes pages: for each page Begin, then Write until all rows are written; at
// the end Finish, after which the file is complete but not yet committed. Each
// page must fit into the format (open_image.h).
class ImageWriter : public Sink {
 public:
  virtual Result<void> Begin(const BitPage& page) = 0;
  virtual Result<void> Finish() = 0;
};

}  // namespace halftoned
