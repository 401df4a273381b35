// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where pages of raster end, from bytes, by pages that are made here and read
// by libcups.

#include "printer_app/front/pappl/raster_pages.h"

#include <cups/raster.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace halftoned {
namespace {

constexpr size_t kPwgHeader = 1796;

void PutNumber(std::string& bytes, size_t at, uint32_t number) {
  for (size_t i = 0; i < 4; ++i) {
    bytes[at + i] = static_cast<char>(number >> (24 - 8 * i));
  }
}

std::string PwgHeader(uint32_t width, uint32_t rows, uint32_t bits = 8) {
  std::string header(kPwgHeader, '\0');
  std::memcpy(header.data(), "PwgRaster", 9);
  PutNumber(header, 276, 300);
  PutNumber(header, 280, 300);
  PutNumber(header, 372, width);
  PutNumber(header, 376, rows);
  PutNumber(header, 384, bits);
  PutNumber(header, 388, bits);
  PutNumber(header, 392, (width * bits + 7) / 8);
  PutNumber(header, 400, CUPS_CSPACE_SW);
  PutNumber(header, 420, 1);
  return header;
}

std::string UrfHeader(uint32_t width, uint32_t rows) {
  std::string header(32, '\0');
  header[0] = 8;
  header[2] = 1;
  header[3] = 4;
  PutNumber(header, 12, width);
  PutNumber(header, 16, rows);
  PutNumber(header, 20, 300);
  return header;
}

const std::string kPwg = "RaS2";
const std::string kUrf("UNIRAST\0\0\0\0\0", 12);
// Rows of ten pixels: a run and literals, twice; white.
const std::string kRows("\x01\x03\x11\xfb\x01\x02\x03\x04\x05\x06\x00\x80", 12);
const std::string kPage = PwgHeader(10, 3) + kRows;
const std::string kUrfPage = UrfHeader(10, 3) + kRows;

struct Reading {
  std::string_view left;
  size_t most;  // bytes at a time
};

ssize_t ReadSome(void* data, unsigned char* room, size_t size) {
  auto& from = *static_cast<Reading*>(data);
  const size_t some = std::min({size, from.left.size(), from.most});
  std::memcpy(room, from.left.data(), some);
  from.left.remove_prefix(some);
  return static_cast<ssize_t>(some);
}

// Pages whose rows libcups finds, and the bytes that it leaves.
std::pair<unsigned, size_t> ReadByCups(std::string_view bytes) {
  Reading from{bytes, 1};
  cups_raster_t* raster = cupsRasterOpenIO(ReadSome, &from, CUPS_RASTER_READ);
  unsigned pages = 0;
  cups_page_header2_t header;
  while (raster && cupsRasterReadHeader2(raster, &header)) {
    std::string row(header.cupsBytesPerLine, '\0');
    auto* pixels = reinterpret_cast<unsigned char*>(row.data());
    unsigned rows = 0;
    while (rows < header.cupsHeight &&
           cupsRasterReadPixels(raster, pixels, header.cupsBytesPerLine)) {
      ++rows;
    }
    if (rows < header.cupsHeight) break;
    ++pages;
  }
  cupsRasterClose(raster);
  return {pages, from.left.size()};
}

TEST(RasterPages, EndWithTheirLastByte) {
  for (const auto& [start, page] :
       {std::pair(kPwg, kPage), std::pair(kUrf, kUrfPage)}) {
    RasterPages pages;
    std::string bytes = start + page + page + page;
    EXPECT_EQ(ReadByCups(bytes), std::pair(3U, size_t{0}));
    for (size_t i = 0; i < bytes.size(); ++i) {
      ASSERT_EQ(pages.pages(),
                i < start.size() ? 0 : (i - start.size()) / page.size());
      ASSERT_EQ(pages.complete() + pages.unfinished(), i);
      ASSERT_TRUE(pages.Take({&bytes[i], 1}));
    }
    EXPECT_EQ(pages.pages(), 3U);
    EXPECT_EQ(pages.complete(), bytes.size());
    EXPECT_FALSE(pages.is_within_page());
  }
}

TEST(RasterPages, AreFoundInPiecesOfAnySize) {
  const std::string bytes = kPwg + kPage + kPage + kPage.substr(0, 1800);
  for (size_t size = 1; size <= bytes.size(); ++size) {
    RasterPages pages;
    for (size_t at = 0; at < bytes.size(); at += size) {
      ASSERT_TRUE(pages.Take(std::string_view(bytes).substr(at, size)));
    }
    EXPECT_EQ(pages.pages(), 2U) << size;
    EXPECT_EQ(pages.unfinished(), 1800U) << size;
    EXPECT_TRUE(pages.is_within_page()) << size;
  }
}

TEST(RasterPages, AHeaderThatIsCutIsNoPage) {
  RasterPages pages;
  EXPECT_TRUE(pages.Take(kPwg + kPage + kPage.substr(0, kPwgHeader - 1)));
  EXPECT_FALSE(pages.is_within_page());
}

TEST(RasterPages, OfOtherKindsAreRefusedWithTheirHeaders) {
  for (const std::string& header :
       {PwgHeader(0, 3), PwgHeader(10, 0), PwgHeader(16, 3, 1),
        PwgHeader(10, 3, 16), PwgHeader(0xffffffff, 3),
        PwgHeader(10, 0xffffffff), PwgHeader(RasterPages::kMostWidth + 1, 3),
        PwgHeader(10, RasterPages::kMostRows + 1)}) {
    RasterPages pages;
    EXPECT_TRUE(pages.Take(kPwg + header.substr(0, kPwgHeader - 1)));
    EXPECT_FALSE(pages.Take(header.substr(kPwgHeader - 1)));
    EXPECT_FALSE(pages.Take(kRows));
    EXPECT_EQ(pages.pages(), 0U);
  }
  std::string wide = PwgHeader(10, 3);
  PutNumber(wide, 392, 11);  // bytes of a line
  EXPECT_FALSE(RasterPages().Take(kPwg + wide));
  std::string inks = PwgHeader(10, 3);
  PutNumber(inks, 400, CUPS_CSPACE_CMYK);
  EXPECT_FALSE(RasterPages().Take(kPwg + inks));
  std::string colors = UrfHeader(10, 3);
  colors[0] = 24;
  EXPECT_FALSE(RasterPages().Take(kUrf + colors));
  colors[0] = 8;
  colors[1] = 1;
  EXPECT_FALSE(RasterPages().Take(kUrf + colors));
}

TEST(RasterPages, OtherDocumentsAreNoRaster) {
  for (const std::string_view start :
       {"%PDF", "RaS3", "2SaR", "UNIX and so on", "RaSt"}) {
    EXPECT_FALSE(RasterPages().Take(start)) << start;
  }
  EXPECT_TRUE(RasterPages().Take("UNIRAST"));
}

TEST(RasterPages, RowsMustFitThePage) {
  const std::string start = kPwg + PwgHeader(10, 3);
  EXPECT_FALSE(RasterPages().Take(start + '\3'));           // four rows
  EXPECT_FALSE(RasterPages().Take(start + '\0' + '\x0a'));  // eleven pixels
  EXPECT_FALSE(RasterPages().Take(start + '\0' + '\xf6'));
  EXPECT_TRUE(RasterPages().Take(start + '\2' + '\x09'));
  EXPECT_TRUE(RasterPages().Take(start + '\2' + '\xf7'));
}

}  // namespace
}  // namespace halftoned
