// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/raster_input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

#include "base/descriptor.h"
#include "sample_header.h"

namespace halftoned {
namespace {

constexpr uint32_t kVersion2 = 0x52615332;
constexpr uint32_t kVersion3 = 0x52615333;

PageHeader SmallHeader(unsigned width, unsigned height,
                       cups_cspace_t space = CUPS_CSPACE_SW,
                       unsigned colours = 1, unsigned bits = 8) {
  PageHeader header = SampleHeader(width, height);
  header.cupsColorSpace = space;
  header.cupsNumColors = colours;
  header.cupsBitsPerColor = bits;
  header.cupsBitsPerPixel = bits * colours;
  header.cupsBytesPerLine = width * bits * colours / 8;
  return header;
}

std::string Bytes(const void* data, size_t size) {
  return std::string(static_cast<const char*>(data), size);
}
std::string Word(uint32_t word) { return Bytes(&word, sizeof(word)); }
std::string PageOf(const PageHeader& header, const std::string& rows) {
  return Bytes(&header, sizeof(header)) + rows;
}

struct Read {
  std::string rows;   // of all pages
  std::string error;  // "": all pages were read
};

// Gives `raster` to a RasterInput in pieces of so many bytes, which reads so
// many rows at a time.
Read ReadAll(const std::string& raster, size_t piece = 1 << 16,
             int64_t rows_at_once = 1) {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {"", "no pipe"};
  const Descriptor out(ends[0]);
  Descriptor in(ends[1]);
  std::thread writer([&] {
    for (size_t at = 0; at < raster.size(); at += piece) {
      const auto bytes = std::as_bytes(std::span(raster)).subspan(at);
      (void)WriteFully(in.get(), bytes.first(std::min(piece, bytes.size())));
    }
    in.Close();
  });
  const Stop stop = std::move(*Stop::Make());
  PolledInput input = std::move(*PolledInput::Make(out.get(), stop));
  Read all;
  const auto read = [&]() -> Result<void> {
    HALFTONED_TRY_ASSIGN(RasterInput opened, RasterInput::Open(input));
    for (;;) {
      HALFTONED_TRY_ASSIGN(const auto header, opened.NextHeader());
      if (!header) return {};
      HALFTONED_TRY_ASSIGN(const RasterForm form, header->cupsBitsPerColor == 1
                                                      ? FormOfBits(*header)
                                                      : FormOf(*header));
      opened.BeginPage(form);
      for (int64_t row = 0; row < form.rows; row += rows_at_once) {
        const int64_t rows = std::min(rows_at_once, form.rows - row);
        std::string room(form.bytes_per_line * static_cast<size_t>(rows), '?');
        HALFTONED_TRY(opened.ReadRows(std::as_writable_bytes(std::span(room))));
        all.rows += room;
      }
    }
  };
  if (const Result<void> result = read(); !result.ok()) {
    all.error = result.error().message;
  }
  // Lets the writer end.
  std::array<char, 4096> rest;
  while (::read(out.get(), rest.data(), rest.size()) > 0) {
  }
  writer.join();
  return all;
}

std::string ErrorOf(const std::string& packed, const PageHeader& header) {
  return ReadAll(Word(kVersion2) + PageOf(header, packed)).error;
}

using namespace std::string_literals;

TEST(RasterInput, UnpacksRunsOfEveryKind) {
  const std::string rows =
      "\0\2a\xfexyz"s      // three times a, and then x y z
      "\1\5b"s             // two rows of b
      "\0\0c\x80"s         // c, and white for the rest
      "\0\x80"s            // all white
      "\2\1d\xfd\1\2ef"s;  // three rows of d d 1 2 e f
  const std::string expected =
      "aaaxyz"s
      "bbbbbb"
      "bbbbbb"
      "c\xff\xff\xff\xff\xff"
      "\xff\xff\xff\xff\xff\xff"
      "dd\1\2ef"
      "dd\1\2ef"
      "dd\1\2ef";
  const std::string raster =
      Word(kVersion2) + PageOf(SmallHeader(6, 8), rows) +
      PageOf(SmallHeader(2, 1, CUPS_CSPACE_K), "\0\x80"s);
  for (const size_t piece : {1, 7, 1795, 1800, 65536}) {
    for (const int64_t rows_at_once : {1, 2, 3, 8}) {
      const Read read = ReadAll(raster, piece, rows_at_once);
      EXPECT_EQ(read.error, "") << piece;
      EXPECT_EQ(read.rows, expected + "\0\0"s) << piece;
    }
  }
}

TEST(RasterInput, UnpacksPixelsOfSeveralBytes) {
  EXPECT_EQ(
      ReadAll(Word(kVersion2) +
              PageOf(SmallHeader(5, 1, CUPS_CSPACE_SRGB, 3), "\0\3abc\0xyz"s))
          .rows,
      "abcabcabcabcxyz");
  EXPECT_EQ(
      ReadAll(Word(kVersion2) + PageOf(SmallHeader(3, 2, CUPS_CSPACE_CMYK, 4),
                                       "\1\xff"
                                       "abcdefgh\x80"s))
          .rows,
      "abcdefgh\0\0\0\0abcdefgh\0\0\0\0"s);
  EXPECT_EQ(
      ReadAll(Word(kVersion2) +
              PageOf(SmallHeader(3, 1, CUPS_CSPACE_SW, 1, 16), "\0\1ab\0cd"s))
          .rows,
      "ababcd");
}

// libcups would cut the run, and take what follows for the next one.
TEST(RasterInput, UnpacksEightPixelsOfOneBitAtATime) {
  PageHeader header = SmallHeader(12, 3, CUPS_CSPACE_K);
  header.cupsBitsPerColor = header.cupsBitsPerPixel = 1;
  header.cupsBytesPerLine = 2;
  const Read read = ReadAll(Word(kVersion2) + PageOf(header,
                                                     "\1\1a\0\xff"
                                                     "bc"s));
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.rows, "aaaabc");
}

TEST(RasterInput, ARunThatIsLongerThanItsRowIsAnError) {
  constexpr char kError[] = "row 2 has more pixels than its page is wide";
  const PageHeader header = SmallHeader(6, 3);
  for (const std::string& row : {"\0\6b"s,
                                 "\0\x7f"
                                 "b"s,
                                 "\0\3b\2c"s,
                                 "\0\xfa"
                                 "abcdefg"s,
                                 "\0\0b\xfb"
                                 "abcdef"s}) {
    EXPECT_EQ(ErrorOf("\0\5a"s + row + "\0\5c"s, header), kError);
  }
}

TEST(RasterInput, ARowThatIsRepeatedBeyondThePageIsAnError) {
  const PageHeader header = SmallHeader(6, 3);
  EXPECT_EQ(ErrorOf("\2\5a"s, header), "");
  EXPECT_EQ(ErrorOf("\3\5a"s, header),
            "row 1 is repeated beyond the end of the page");
  EXPECT_EQ(ErrorOf("\1\5a\1\5b"s, header),
            "row 3 is repeated beyond the end of the page");
}

TEST(RasterInput, ARasterThatEndsInARunIsAnError) {
  const std::string rows =
      "\0\5a\0\xfb"
      "abcdef\0\5c"s;
  for (size_t size = 0; size < rows.size(); ++size) {
    EXPECT_EQ(ErrorOf(rows.substr(0, size), SmallHeader(6, 3)),
              "the raster is truncated")
        << size;
  }
  EXPECT_EQ(ErrorOf(rows, SmallHeader(6, 3)), "");
}

TEST(RasterInput, ReadsUnpackedRows) {
  const std::string raster =
      Word(kVersion3) + PageOf(SmallHeader(4, 2), "abcdefgh") +
      PageOf(SmallHeader(1, 1, CUPS_CSPACE_SW, 1, 16), "xy");
  for (const size_t piece : {1, 1795, 65536}) {
    const Read read = ReadAll(raster, piece);
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(read.rows, "abcdefghxy");
  }
}

}  // namespace
}  // namespace halftoned
