// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BMP images with two levels, for engraving software: one page per file, rows
// from the last to the first, since every program can read that order.
//
//   file   = header palette rows
//   header = BITMAPFILEHEADER BITMAPINFOHEADER, little-endian
//   rows   = packed bits, 1 is white, each row of whole 4 bytes

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/descriptor.h"
#include "print/file/temporary_file.h"
#include "print/image/formats.h"

namespace halftoned {
namespace {

constexpr uint32_t kInfoBytes = 40;
constexpr uint32_t kHeaderBytes = 14 + kInfoBytes + 2 * 4;

void Put(std::vector<std::byte>& bytes, uint32_t number, int size) {
  for (int i = 0; i < size; ++i) {
    bytes.push_back(static_cast<std::byte>(number >> 8 * i));
  }
}

uint32_t PerMeter(double per_inch) {
  return static_cast<uint32_t>(std::lround(per_inch / 0.0254));
}

class BmpWriter : public ImageWriter {
 public:
  explicit BmpWriter(OutputFile& file) : file_(file) {}

  Result<void> Begin(const BitPage& page) override {
    row_bytes_ = (static_cast<size_t>(page.width) + 31) / 32 * 4;
    const int64_t bytes = page.rows * int64_t(row_bytes_) + kHeaderBytes;
    if (bytes > std::numeric_limits<uint32_t>::max() ||
        page.rows > std::numeric_limits<int32_t>::max()) {
      return BadInput("BMP is limited to 4 GiB; use .tif or .png");
    }
    end_ = bytes;
    if (!file_.is_seekable()) {
      HALFTONED_TRY_ASSIGN(spool_, MakeTemporaryFile());
    }
    return WriteAt(fd(), 0, Header(page, static_cast<uint32_t>(bytes)));
  }

  Result<void> Write(const BitBand& bits) override {
    const auto rows = static_cast<size_t>(bits.rows);
    rows_.assign(rows * row_bytes_, std::byte{0});
    for (size_t i = 0; i < rows; ++i) {
      std::memcpy(&rows_[(rows - 1 - i) * row_bytes_],
                  bits.row(static_cast<int32_t>(i)), bits_bytes_);
    }
    end_ -= static_cast<int64_t>(rows_.size());
    return WriteAt(fd(), end_, rows_);
  }

  Result<void> Finish() override {
    return spool_.open() ? file_.WriteCopyOf(spool_.get()) : Result<void>();
  }

 private:
  int fd() const { return spool_.open() ? spool_.get() : file_.fd(); }
  std::vector<std::byte> Header(const BitPage& page, uint32_t bytes);

  OutputFile& file_;
  Descriptor spool_;       // for an output that is not a regular file
  size_t row_bytes_ = 0;   // in the file
  size_t bits_bytes_ = 0;  // the pixels of a row, in the file
  int64_t end_ = 0;        // of the rows still to be written
  std::vector<std::byte> rows_;
};

std::vector<std::byte> BmpWriter::Header(const BitPage& page, uint32_t bytes) {
  bits_bytes_ = (static_cast<size_t>(page.width) + 7) / 8;
  const auto& resolution = page.metadata.resolution;
  const bool is_known = resolution && resolution->has_unit;
  std::vector<std::byte> header;
  Put(header, 'B' | 'M' << 8, 2);
  Put(header, bytes, 4);
  Put(header, 0, 4);
  Put(header, kHeaderBytes, 4);
  Put(header, kInfoBytes, 4);
  Put(header, static_cast<uint32_t>(page.width), 4);
  Put(header, static_cast<uint32_t>(page.rows), 4);
  Put(header, 1, 2);  // plane
  Put(header, 1, 2);  // bit
  Put(header, 0, 4);  // not compressed
  Put(header, bytes - kHeaderBytes, 4);
  Put(header, is_known ? PerMeter(resolution->x) : 0, 4);
  Put(header, is_known ? PerMeter(resolution->y) : 0, 4);
  Put(header, 2, 4);  // colors
  Put(header, 2, 4);  // important colors
  Put(header, 0x000000, 4);
  Put(header, 0xFFFFFF, 4);
  return header;
}

}  // namespace

std::unique_ptr<ImageWriter> MakeBmpWriter(OutputFile& file,
                                           const OutputOptions&) {
  return std::make_unique<BmpWriter>(file);
}

}  // namespace halftoned
