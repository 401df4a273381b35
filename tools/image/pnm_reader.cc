// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/pnm_reader.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "image/luminance.h"
#include "image/samples.h"

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

// The first byte that is neither blank nor comment; -1 at the end.
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

// A decimal number 0 … max, and the one byte after it.
Result<int64_t> ReadNumber(InputFile& file, int64_t max, const char* what) {
  HALFTONED_TRY_ASSIGN(int c, SkipBlanks(file));
  if (c < 0) return BadInput("ends too early");
  if (c < '0' || c > '9') return BadInput(std::string(what) + " is no number");
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
    return BadInput(std::string(what) + " is no number");
  }
  return number;
}

// The header behind its magic number's "P".
Result<Header> ReadHeader(InputFile& file) {
  HALFTONED_TRY_ASSIGN(const int kind, file.ReadByte());
  if (kind < '1' || kind > '6') return BadInput("is no portable anymap");
  Header header{static_cast<char>(kind), 0, 0, 1};
  HALFTONED_TRY_ASSIGN(header.width,
                       ReadNumber(file, Page::kMaxWidth, "the width"));
  HALFTONED_TRY_ASSIGN(header.rows,
                       ReadNumber(file, Page::kMaxRows, "the height"));
  if (header.rows == 0) return BadInput("has no rows");
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

class PnmPage : public PageReader {
 public:
  PnmPage(InputFile& file, const Header& header, PageInfo info, GrayRow row)
      : PageReader(std::move(info)),
        file_(file),
        header_(header),
        gray_row_(std::move(row)),
        row_((gray_row_.bytes_per_row() + 1) / 2) {}

 protected:
  Result<void> ReadRows(const GrayRoom& room) override;

 private:
  std::span<std::byte> row_bytes() {
    return std::as_writable_bytes(std::span(row_))
        .first(gray_row_.bytes_per_row());
  }
  template <typename Sample>
  Result<void> ReadPlainRow(std::span<Sample> samples);
  Result<void> ReadRow();
  Result<void> CheckRow();

  InputFile& file_;
  const Header header_;
  GrayRow gray_row_;
  std::vector<uint16_t> row_;  // words, for their alignment
};

template <typename Sample>
Result<void> PnmPage::ReadPlainRow(std::span<Sample> samples) {
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

Result<void> PnmPage::ReadRow() {
  const bool is_deep = header_.max_value > 255;
  if (header_.is_plain()) {
    if (is_deep) return ReadPlainRow(std::span(row_));
    return ReadPlainRow(std::span(reinterpret_cast<uint8_t*>(row_.data()),
                                  gray_row_.bytes_per_row()));
  }
  HALFTONED_TRY(file_.Read(row_bytes()));
  if (is_deep) SwapBigEndian16(row_);
  return CheckRow();
}

Result<void> PnmPage::CheckRow() {
  const uint32_t max = header_.max_value;
  if (header_.is_bitmap() || max == 255 || max == 65535) return {};
  const auto* bytes = reinterpret_cast<const uint8_t*>(row_.data());
  const bool fits =
      max > 255 ? *std::max_element(row_.begin(), row_.end()) <= max
                : *std::max_element(bytes, bytes + row_bytes().size()) <= max;
  if (!fits) return BadInput("a sample is larger than " + std::to_string(max));
  return {};
}

Result<void> PnmPage::ReadRows(const GrayRoom& room) {
  const size_t bytes = gray_row_.bytes_per_row();
  if (gray_row_.is_identity() && header_.kind == '5' &&
      header_.max_value == 255 && room.bytes_per_row == bytes) {
    return file_.Read({room.bytes, bytes * static_cast<size_t>(room.rows)});
  }
  for (int32_t i = 0; i < room.rows; ++i) {
    HALFTONED_TRY(ReadRow());
    const std::byte* plane = row_bytes().data();
    gray_row_.Make({&plane, 1}, room.row(i));
  }
  return {};
}

class PnmImage : public ImageReader {
 public:
  explicit PnmImage(InputFile& file) : file_(file) {}

  Result<std::unique_ptr<PageReader>> Next() override {
    HALFTONED_TRY_ASSIGN(const int c, SkipBlanks(file_));
    if (c < 0) return std::unique_ptr<PageReader>();
    if (c != 'P') return BadInput("what follows the image is no other image");
    HALFTONED_TRY_ASSIGN(const Header header, ReadHeader(file_));
    const PixelFormat format = FormatOf(header);
    HALFTONED_TRY_ASSIGN(
        const Page page,
        Page::Make(header.width, header.max_value > 255 ? 16 : 8));
    return std::unique_ptr<PageReader>(std::make_unique<PnmPage>(
        file_, header, PageInfo{page, header.rows, {}},
        GrayRow(format, page.width())));
  }

 private:
  InputFile& file_;
};

}  // namespace

std::unique_ptr<ImageReader> OpenPnm(InputFile& file) {
  return std::make_unique<PnmImage>(file);
}

}  // namespace halftoned
