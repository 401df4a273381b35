// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable anymaps: P1 … P6, up to 16 bits; each image of a file is a page.
//
//   file   = image { image }
//   image  = magic blank width blank height [ blank maxval ] one-blank rows
//   magic  = "P1" … "P6"; bitmaps (1 and 4) have no maxval
//   blank  = { " " | "\t" | "\n" | "\v" | "\f" | "\r" | "#" … "\n" }
//
// Samples of P1 … P3 are decimal numbers; P4 has 8 pixels per byte; P5 and P6
// have one byte per sample or, above maxval 255, two bytes, the high one first.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "print/image/formats.h"
#include "print/image/pixel_row.h"
#include "print/image/samples.h"

namespace halftoned {
namespace {

struct Header {
  char kind;  // '1' … '6'
  int64_t width;
  int64_t rows;
  uint32_t max_value;

  bool is_plain() const { return kind <= '3'; }
  bool is_bitmap() const { return kind == '1' || kind == '4'; }
  bool is_color() const { return kind == '3' || kind == '6'; }
};

bool IsBlank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Returns the first byte that is neither blank nor comment; -1 at the end.
Result<int> SkipBlanks(InputFile& file) {
  bool in_comment = false;
  for (;;) {
    HALFTONED_TRY_ASSIGN(const int c, file.ReadByte());
    if (c < 0) return -1;
    if (in_comment) {
      in_comment = c != '\n' && c != '\r';
    } else if (c == '#') {
      in_comment = true;
    } else if (!IsBlank(c)) {
      return c;
    }
  }
}

// Reads a decimal number 0 … max, and the one byte after it.
Result<int64_t> ReadNumber(InputFile& file, int64_t max, const char* what) {
  HALFTONED_TRY_ASSIGN(int c, SkipBlanks(file));
  if (c < 0) return BadInput("ends too early");
  if (c < '0' || c > '9')
    return BadInput(std::string(what) + " is not a number");
  int64_t number = 0;
  while (c >= '0' && c <= '9') {
    number = number * 10 + (c - '0');
    if (number > max) {
      return BadInput(std::string(what) + " is larger than " +
                      std::to_string(max));
    }
    HALFTONED_TRY_ASSIGN(c, file.ReadByte());
  }
  if (c >= 0 && !IsBlank(c)) {
    return BadInput(std::string(what) + " is not a number");
  }
  return number;
}

// Reads the header after the "P" of its magic number.
Result<Header> ReadHeader(InputFile& file) {
  HALFTONED_TRY_ASSIGN(const int kind, file.ReadByte());
  if (kind < '1' || kind > '6') return BadInput("is not a portable anymap");
  Header header{static_cast<char>(kind), 0, 0, 1};
  HALFTONED_TRY_ASSIGN(header.width,
                       ReadNumber(file, Page::kMaxWidth, "the width"));
  HALFTONED_TRY_ASSIGN(header.rows,
                       ReadNumber(file, Page::kMaxRows, "the height"));
  if (header.width == 0 || header.rows == 0) return BadInput("has no pixels");
  if (header.is_bitmap()) return header;
  HALFTONED_TRY_ASSIGN(const int64_t max_value,
                       ReadNumber(file, 65535, "the highest value"));
  if (max_value == 0) return BadInput("the highest value is 0");
  header.max_value = static_cast<uint32_t>(max_value);
  return header;
}

PixelFormat FormatOf(const Header& header) {
  PixelFormat format;
  format.colors = header.is_color() ? Colors::kRgb : Colors::kGray;
  format.samples_per_pixel = header.is_color() ? 3 : 1;
  format.high_is_dark = header.is_bitmap();
  format.max_value = header.max_value;
  format.bits_per_sample = header.kind == '4'        ? 1
                           : header.max_value <= 255 ? 8
                                                     : 16;
  return format;
}

// Reads the rows of one image as samples.
class PnmRows {
 public:
  PnmRows(InputFile& file, const Header& header, size_t row_bytes)
      : file_(file),
        header_(header),
        rows_left_(header.rows),
        row_bytes_(row_bytes),
        row_((row_bytes + 1) / 2) {}

  int64_t rows_left() const { return rows_left_; }

  // The next row; valid until the next call.
  Result<const std::byte*> Next() {
    --rows_left_;
    HALFTONED_TRY(ReadRow());
    return row_bytes().data();
  }

  // Reads this many rows unchanged.
  Result<void> ReadStraight(std::byte* room, int32_t rows) {
    rows_left_ -= rows;
    return file_.Read({room, row_bytes_ * static_cast<size_t>(rows)});
  }

 private:
  std::span<std::byte> row_bytes() {
    return std::as_writable_bytes(std::span(row_)).first(row_bytes_);
  }
  template <typename Sample>
  Result<void> ReadPlainRow(std::span<Sample> samples);
  Result<void> ReadRow();
  Result<void> CheckRow();

  InputFile& file_;
  const Header header_;
  int64_t rows_left_;
  const size_t row_bytes_;
  std::vector<uint16_t> row_;  // words, for alignment
};

template <typename Sample>
Result<void> PnmRows::ReadPlainRow(std::span<Sample> samples) {
  for (Sample& sample : samples) {
    if (header_.is_bitmap()) {
      // Digits of a bitmap need no blanks between them.
      HALFTONED_TRY_ASSIGN(const int c, SkipBlanks(file_));
      if (c < 0) return BadInput("ends too early");
      if (c != '0' && c != '1') return BadInput("a pixel is not 0 or 1");
      sample = static_cast<Sample>(c - '0');
    } else {
      HALFTONED_TRY_ASSIGN(const int64_t number,
                           ReadNumber(file_, header_.max_value, "a sample"));
      sample = static_cast<Sample>(number);
    }
  }
  return {};
}

Result<void> PnmRows::ReadRow() {
  const bool is_deep = header_.max_value > 255;
  if (header_.is_plain()) {
    if (is_deep) return ReadPlainRow(std::span(row_));
    return ReadPlainRow(
        std::span(reinterpret_cast<uint8_t*>(row_.data()), row_bytes_));
  }
  HALFTONED_TRY(file_.Read(row_bytes()));
  if (is_deep) SwapBigEndian16(row_);
  return CheckRow();
}

Result<void> PnmRows::CheckRow() {
  const uint32_t max = header_.max_value;
  if (header_.is_bitmap() || max == 255 || max == 65535) return {};
  const auto* bytes = reinterpret_cast<const uint8_t*>(row_.data());
  const bool fits =
      max > 255 ? *std::max_element(row_.begin(), row_.end()) <= max
                : *std::max_element(bytes, bytes + row_bytes().size()) <= max;
  if (!fits) return BadInput("a sample is larger than " + std::to_string(max));
  return {};
}

class PnmPage : public PageReader {
 public:
  PnmPage(PnmRows& rows, bool is_straight, PageInfo info, PixelRow pixel_row)
      : PageReader(std::move(info)),
        rows_(rows),
        is_straight_(is_straight),
        pixel_row_(std::move(pixel_row)) {}

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    if (is_straight_ && room.bytes_per_row == pixel_row_.bytes_per_row()) {
      return rows_.ReadStraight(room.bytes, room.rows);
    }
    for (int32_t i = 0; i < room.rows; ++i) {
      HALFTONED_TRY_ASSIGN(const std::byte* row, rows_.Next());
      pixel_row_.Make(row, room.row(i));
    }
    return {};
  }

 private:
  PnmRows& rows_;
  const bool is_straight_;  // rows are gray already
  PixelRow pixel_row_;
};

class PnmImage : public ImageReader {
 public:
  PnmImage(InputFile& file, Pixels pixels) : file_(file), pixels_(pixels) {}

  Result<std::unique_ptr<PageReader>> Next() override {
    while (rows_ && rows_->rows_left() > 0) HALFTONED_TRY(rows_->Next());
    HALFTONED_TRY_ASSIGN(const int c, SkipBlanks(file_));
    if (c < 0) return std::unique_ptr<PageReader>();
    if (c != 'P')
      return BadInput("the data after the image is not another image");
    HALFTONED_TRY_ASSIGN(const Header header, ReadHeader(file_));
    PixelRow pixel_row(FormatOf(header), static_cast<int32_t>(header.width),
                       pixels_);
    HALFTONED_TRY_ASSIGN(
        const Page page,
        Page::Make(header.width, static_cast<int>(pixel_row.depth())));
    rows_.emplace(file_, header, pixel_row.bytes_per_row());
    const bool is_straight = header.kind == '5' && header.max_value == 255 &&
                             pixel_row.is_identity();
    return std::unique_ptr<PageReader>(std::make_unique<PnmPage>(
        *rows_, is_straight, PageInfo{page, header.rows, {}, pixels_},
        std::move(pixel_row)));
  }

 private:
  InputFile& file_;
  const Pixels pixels_;
  std::optional<PnmRows> rows_;  // of the last page returned
};

}  // namespace

std::unique_ptr<ImageReader> OpenPnm(InputFile& file, Pixels pixels) {
  return std::make_unique<PnmImage>(file, pixels);
}

}  // namespace halftoned
