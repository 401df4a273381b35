// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/raster_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/print/sample_header.h"

namespace halftoned {
namespace {

using ByteList = std::vector<std::byte>;

// libcups packs the same pages.
class CupsPages {
 public:
  explicit CupsPages(cups_mode_t mode)
      : raster_(cupsRasterOpenIO(Keep, &bytes_, mode)) {}
  ~CupsPages() { cupsRasterClose(raster_); }
  CupsPages(const CupsPages&) = delete;
  CupsPages& operator=(const CupsPages&) = delete;

  void Add(PageHeader header, ByteList rows) {
    ASSERT_TRUE(cupsRasterWriteHeader2(raster_, &header));
    ASSERT_EQ(cupsRasterWritePixels(
                  raster_, reinterpret_cast<unsigned char*>(rows.data()),
                  static_cast<unsigned>(rows.size())),
              rows.size());
  }

  const ByteList& bytes() const { return bytes_; }

 private:
  static ssize_t Keep(void* to, unsigned char* from, size_t size) {
    auto& bytes = *static_cast<ByteList*>(to);
    const auto* more = reinterpret_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), more, more + size);
    return static_cast<ssize_t>(size);
  }

  ByteList bytes_;
  cups_raster_t* raster_;
};

// Rows of runs of all lengths, of equal and of different bytes, many of which
// are repeated.
ByteList RowsOfRuns(std::mt19937& random, size_t row_bytes, size_t rows) {
  ByteList all;
  ByteList row(row_bytes);
  for (size_t repeats = 0; all.size() < rows * row_bytes; --repeats) {
    if (repeats == 0) {
      repeats = random() % 4 == 0 ? 1 + random() % 600 : 1;
      for (size_t at = 0; at < row_bytes;) {
        const size_t most = random() % 2 == 0 ? 4 : 300;
        const size_t end = std::min(row_bytes, at + 1 + random() % most);
        const bool is_same = random() % 2 == 0;
        const auto same = static_cast<std::byte>(random());
        for (; at < end; ++at) {
          row[at] = is_same ? same : static_cast<std::byte>(random() % 8);
        }
      }
    }
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

PageHeader HeaderFor(unsigned bits, size_t row_bytes, size_t rows) {
  PageHeader header = SampleHeader();
  header.cupsBitsPerColor = header.cupsBitsPerPixel = bits;
  header.cupsColorSpace = bits == 8 ? CUPS_CSPACE_SW : CUPS_CSPACE_K;
  header.cupsNumColors = 1;
  header.cupsBytesPerLine = static_cast<unsigned>(row_bytes);
  header.cupsWidth = static_cast<unsigned>(row_bytes * 8 / bits);
  header.cupsHeight = static_cast<unsigned>(rows);
  return header;
}

// Rows in bands of any height.
void Write(RasterEncoder& encoder, std::mt19937& random, size_t row_bytes,
           std::span<const std::byte> rows) {
  while (!rows.empty()) {
    const size_t band = std::min(rows.size(), row_bytes * (1 + random() % 200));
    ASSERT_TRUE(encoder.WriteRows(rows.first(band)).ok());
    rows = rows.subspan(band);
  }
}

TEST(RasterEncoder, PacksPwgRasterAsLibcupsDoes) {
  std::mt19937 random(7);
  for (const unsigned bits : {1u, 2u, 4u}) {
    ByteList ours;
    RasterEncoder encoder(RasterFormat::kPwg,
                          [&ours](std::span<const std::byte> bytes) {
                            ours.insert(ours.end(), bytes.begin(), bytes.end());
                            return Result<void>();
                          });
    CupsPages cups(CUPS_RASTER_WRITE_PWG);
    for (const size_t row_bytes : {1, 2, 3, 9, 127, 128, 129, 130, 257, 620}) {
      for (const size_t rows : {1, 2, 256, 257, 700}) {
        const PageHeader header = HeaderFor(bits, row_bytes, rows);
        const ByteList page = RowsOfRuns(random, row_bytes, rows);
        cups.Add(header, page);
        ASSERT_TRUE(encoder.BeginPage(header).ok());
        Write(encoder, random, row_bytes, page);
        ASSERT_FALSE(encoder.WriteRows(std::span(page).first(row_bytes)).ok());
        ASSERT_TRUE(ours == cups.bytes())
            << bits << " bits, " << row_bytes << " bytes, " << rows << " rows";
      }
    }
  }
}

// The lines of URF are square: a row of 600x300 dpi is two.
TEST(RasterEncoder, PacksUrfAsLibcupsDoes) {
  std::mt19937 random(8);
  ByteList ours;
  RasterEncoder encoder(RasterFormat::kUrf,
                        [&ours](std::span<const std::byte> bytes) {
                          ours.insert(ours.end(), bytes.begin(), bytes.end());
                          return Result<void>();
                        });
  CupsPages cups(CUPS_RASTER_WRITE_APPLE);
  for (const unsigned lines : {1u, 2u, 3u}) {
    constexpr size_t kRowBytes = 40;
    constexpr size_t kRows = 900;
    PageHeader header = HeaderFor(1, kRowBytes, kRows);
    header.HWResolution[0] = 600;
    header.HWResolution[1] = 600 / lines;
    const ByteList page = RowsOfRuns(random, kRowBytes, kRows);
    ByteList light;
    for (const std::byte ink : page) {
      for (int bit = 7; bit >= 0; --bit) {
        const bool is_black = (std::to_integer<int>(ink) >> bit & 1) != 0;
        light.push_back(std::byte(is_black ? 0 : 255));
      }
    }
    PageHeader gray = HeaderFor(8, 8 * kRowBytes, kRows);
    gray.HWResolution[0] = header.HWResolution[0];
    gray.HWResolution[1] = header.HWResolution[1];
    cups.Add(gray, light);
    ASSERT_TRUE(encoder.BeginPage(header).ok());
    Write(encoder, random, kRowBytes, page);
    ASSERT_TRUE(ours == cups.bytes()) << lines << " lines per row";
  }
}

}  // namespace
}  // namespace halftoned
