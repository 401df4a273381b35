// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ZPL II, for Zebra's label printers: a label is a graphic that is downloaded,
// printed and deleted.
//
//   graphic = "~DGR:HALFTONE.GRF," bytes "," bytes_per_row "," { row }
//   row     = ":"                      the same as the row above
//           | { [ counts ] digit } [ "," ]   the rest of the row is zeros
//   counts  = { "z" } [ "g" … "y" ] [ "G" … "Y" ]   400, 20 … 380, 1 … 19
//
// The printer waits for all announced rows: a label that ends early is filled
// with white, and deleted unprinted.

#include <string_view>
#include <vector>

#include "print/language/page_encoder.h"

namespace halftoned {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEF";

void AppendRun(char digit, size_t count, std::string& out) {
  if (count > 1) {
    out.append(count / 400, 'z');
    count %= 400;
    if (count >= 20) out += static_cast<char>('f' + count / 20);
    if (count % 20 > 0) out += static_cast<char>('F' + count % 20);
  }
  out += digit;
}

void AppendRow(std::span<const uint8_t> ink, std::string& out) {
  size_t bytes = ink.size();
  while (bytes > 0 && ink[bytes - 1] == 0) --bytes;
  const auto digit = [&](size_t i) {
    return kDigits[i % 2 == 0 ? ink[i / 2] >> 4 : ink[i / 2] & 15];
  };
  for (size_t at = 0; at < 2 * bytes;) {
    size_t end = at + 1;
    while (end < 2 * bytes && digit(end) == digit(at)) ++end;
    AppendRun(digit(at), end - at, out);
    at = end;
  }
  if (bytes < ink.size()) out += ',';
}

class ZplEncoder : public PageEncoder {
 public:
  void BeginPage(const InkPage& page, std::string& out) override {
    page_ = page;
    rows_ = 0;
    above_.clear();
    const size_t bytes = page.bytes_per_row();
    const int darkness = 30 * page.darkness / 100;
    out += darkness < 10 ? "~SD0" : "~SD";
    out += std::to_string(darkness) + "\n~DGR:HALFTONE.GRF," +
           std::to_string(bytes * page.header.cupsHeight) + "," +
           std::to_string(bytes) + ",\n";
  }

  void WriteRow(std::span<const uint8_t> ink, std::string& out) override {
    ++rows_;
    if (std::equal(ink.begin(), ink.end(), above_.begin(), above_.end())) {
      out += ':';
      return;
    }
    AppendRow(ink, out);
    above_.assign(ink.begin(), ink.end());
  }

  void EndPage(bool is_complete, std::string& out) override {
    for (; rows_ < page_.header.cupsHeight; ++rows_) out += ',';
    if (is_complete) Print(out);
    out += "\n^XA^IDR:HALFTONE.GRF^FS^XZ\n";
  }

 private:
  void Print(std::string& out) const {
    out += "\n^XA\n^PW" + std::to_string(page_.header.cupsWidth) + "\n^LL" +
           std::to_string(page_.header.cupsHeight) + "\n^LH0,0\n";
    if (page_.is_continuous) out += "^MNN\n";
    if (page_.inches_per_second > 0) {
      out += "^PR" + std::to_string(page_.inches_per_second) + "\n";
    }
    out += "^PQ" + std::to_string(page_.copies) +
           ",0,0,N\n^FO0,0^XGR:HALFTONE.GRF,1,1^FS\n^XZ";
  }

  InkPage page_;
  uint32_t rows_ = 0;  // written
  std::vector<uint8_t> above_;
};

}  // namespace

std::unique_ptr<PageEncoder> MakeZplEncoder() {
  return std::make_unique<ZplEncoder>();
}

}  // namespace halftoned
