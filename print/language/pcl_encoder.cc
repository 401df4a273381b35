// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PCL 5e raster graphics. Each row goes in the shorter of two forms:
//
//   method 2 (PackBits)  { 0 … 127, count + 1 bytes | 257 - count, byte };
//                        zeros at the end are left out
//   method 3 (changes)   { (count - 1) << 5 | skip, count bytes }: bytes that
//                        differ from the row above; a skip of 31 goes on in
//                        further bytes, the last of which is below 255
//
// White rows are skipped, after which the row above is white.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "print/language/page_encoder.h"

namespace halftoned {
namespace {

using Row = std::span<const uint8_t>;

size_t LengthWithoutZeros(Row row) {
  size_t length = row.size();
  while (length > 0 && row[length - 1] == 0) --length;
  return length;
}

// How much longer than a row its encoded form can be.
constexpr size_t LongestForm(size_t bytes) { return 2 * bytes + 16; }

uint8_t* PackRun(const uint8_t*& at, const uint8_t* end, uint8_t* out) {
  const uint8_t byte = *at;
  const uint8_t* begin = at;
  end = std::min(end, at + 128);
  while (at < end && *at == byte) ++at;
  *out++ = static_cast<uint8_t>(257 - (at - begin));
  *out++ = byte;
  return out;
}

uint8_t* PackLiteral(const uint8_t*& at, const uint8_t* end, uint8_t* out) {
  const uint8_t* begin = at++;
  end = std::min(end, begin + 128);
  // Two equal bytes between others are shorter unpacked.
  while (at < end && (end - at < 3 || at[0] != at[1] || at[1] != at[2])) ++at;
  *out++ = static_cast<uint8_t>(at - begin - 1);
  return std::copy(begin, at, out);
}

// Writes the row's form and returns its end, as does Changes.
uint8_t* PackBits(Row row, uint8_t* out) {
  const uint8_t* at = row.data();
  const uint8_t* end = at + LengthWithoutZeros(row);
  while (at < end) {
    const bool is_run = end - at > 1 && at[0] == at[1];
    out = is_run ? PackRun(at, end, out) : PackLiteral(at, end, out);
  }
  return out;
}

uint8_t* PutChange(size_t skip, Row bytes, uint8_t* out) {
  const size_t count = (bytes.size() - 1) << 5;
  *out++ = static_cast<uint8_t>(count | std::min<size_t>(skip, 31));
  if (skip >= 31) {
    for (skip -= 31; skip >= 255; skip -= 255) *out++ = 255;
    *out++ = static_cast<uint8_t>(skip);
  }
  return std::copy(bytes.begin(), bytes.end(), out);
}

// The first byte from `at` on that differs.
size_t FirstChange(Row row, Row above, size_t at) {
  for (; at + 8 <= row.size(); at += 8) {
    if (std::memcmp(&row[at], &above[at], 8) != 0) break;
  }
  while (at < row.size() && row[at] == above[at]) ++at;
  return at;
}

uint8_t* Changes(Row row, Row above, uint8_t* out) {
  size_t done = 0;
  for (size_t at = 0; (at = FirstChange(row, above, at)) < row.size();) {
    const size_t most = std::min(row.size(), at + 8);
    size_t end = at + 1;
    while (end < most && row[end] != above[end]) ++end;
    out = PutChange(at - done, row.subspan(at, end - at), out);
    done = at = end;
  }
  return out;
}

// The number of a paper size, from its size in points; 0 if unknown.
int PaperNumber(const cups_page_header2_t& header) {
  struct Paper {
    int width, length, number;
  };
  constexpr Paper kPapers[] = {
      {522, 756, 1},  {612, 792, 2},   {612, 1008, 3}, {792, 1224, 6},
      {297, 420, 24}, {420, 595, 25},  {595, 842, 26}, {842, 1191, 27},
      {516, 729, 45}, {279, 540, 80},  {297, 684, 81}, {312, 624, 90},
      {459, 649, 91}, {499, 709, 100},
  };
  for (const Paper& paper : kPapers) {
    if (std::abs(static_cast<int>(header.PageSize[0]) - paper.width) <= 2 &&
        std::abs(static_cast<int>(header.PageSize[1]) - paper.length) <= 2) {
      return paper.number;
    }
  }
  return 0;
}

// The number of a paper source; 0: the printer chooses.
int SourceNumber(std::string_view source) {
  struct Source {
    std::string_view keyword;
    int number;
  };
  constexpr Source kSources[] = {
      {"tray-1", 8}, {"tray-2", 1}, {"tray-3", 4},
      {"tray-4", 5}, {"manual", 2}, {"envelope", 3},
  };
  const auto* found = std::ranges::find(kSources, source, &Source::keyword);
  return found == std::end(kSources) ? 0 : found->number;
}

class PclEncoder : public PageEncoder {
 public:
  void BeginJob(std::string& out) override {
    out += "\033%-12345X@PJL ENTER LANGUAGE=PCL\r\n\033E";
  }

  void BeginPage(const InkPage& page, std::string& out) override {
    // Settings go before the front of a sheet, and never before its back.
    if (++page_ % 2 == 1 || !page.is_two_sided) {
      SetUp(page, out);
    } else {
      out += "\033&a2G";
    }
    const auto& header = page.header;
    const auto dpi = std::to_string(header.HWResolution[0]);
    // The cursor's row 0 is the paper's; its column 0 is the logical page's,
    // whose margin the row's first bytes stand for.
    skipped_bytes_ = LogicalMargin(header) / 8;
    const size_t bytes = page.bytes_per_row();
    skipped_bytes_ = std::min(skipped_bytes_, bytes - 1);
    above_.assign(bytes - skipped_bytes_, 0);
    packed_.resize(LongestForm(above_.size()));
    changes_.resize(LongestForm(above_.size()));
    out += "\033*t" + dpi + "R\033&u" + dpi + "D\033*p0x0Y\033*r0f" +
           std::to_string(above_.size() * 8) + "s" +
           std::to_string(header.cupsHeight) + "T\033*r1A\033*b2M";
    method_ = 2;
    white_rows_ = 0;
  }

  void WriteRow(std::span<const uint8_t> ink, std::string& out) override {
    const Row row = ink.subspan(skipped_bytes_);
    if (LengthWithoutZeros(row) == 0) {
      ++white_rows_;
      return;
    }
    if (white_rows_ > 0) {
      out += "\033*b" + std::to_string(white_rows_) + "Y";
      white_rows_ = 0;
      std::ranges::fill(above_, uint8_t{0});
    }
    const Row packed(packed_.data(), PackBits(row, packed_.data()));
    const Row changes(changes_.data(), Changes(row, above_, changes_.data()));
    constexpr size_t kSwitchBytes = 2;
    const size_t two = packed.size() + (method_ == 2 ? 0 : kSwitchBytes);
    const size_t three = changes.size() + (method_ == 3 ? 0 : kSwitchBytes);
    Send(two < three ? 2 : 3, two < three ? packed : changes, out);
    std::ranges::copy(row, above_.begin());
  }

  void EndPage(bool /*is_complete*/, std::string& out) override {
    out += "\033*rC\f";
  }

  void EndJob(std::string& out) override { out += "\033E\033%-12345X"; }

 private:
  // Dots left of the logical page, in portrait: 1/4 inch for papers in inches,
  // 71/300 inch for metric ones.
  static size_t LogicalMargin(const cups_page_header2_t& header) {
    const int number = PaperNumber(header);
    const bool is_metric =
        (number >= 24 && number <= 27) || number == 45 || number >= 90;
    return header.HWResolution[0] * (is_metric ? 71 : 75) / 300;
  }

  static void SetUp(const InkPage& page, std::string& out) {
    out += "\033&l" + std::to_string(page.copies) + "X";
    if (const int number = SourceNumber(page.source)) {
      out += "\033&l" + std::to_string(number) + "H";
    }
    if (const int number = PaperNumber(page.header)) {
      out += "\033&l" + std::to_string(number) + "A";
    }
    const int sides = !page.is_two_sided ? 0 : page.is_tumbled ? 2 : 1;
    out += "\033&l0o" + std::to_string(sides) + "s0l0E";
  }

  void Send(int method, Row bytes, std::string& out) {
    out += "\033*b";
    if (method != method_) out += std::to_string(method) + "m";
    method_ = method;
    out += std::to_string(bytes.size()) + "W";
    out.append(bytes.begin(), bytes.end());
  }

  int page_ = 0;
  int method_ = 0;
  size_t skipped_bytes_ = 0;
  size_t white_rows_ = 0;        // not sent yet
  std::vector<uint8_t> above_;   // the row above, for method 3
  std::vector<uint8_t> packed_;  // room for a row's two forms
  std::vector<uint8_t> changes_;
};

}  // namespace

std::unique_ptr<PageEncoder> MakePclEncoder() {
  return std::make_unique<PclEncoder>();
}

}  // namespace halftoned
