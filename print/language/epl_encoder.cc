// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// EPL2, page mode, for Eltron's and Zebra's label printers: graphics are
// written into an image buffer, which is then printed.
//
//   label   = LF "N" LF                 the buffer is white
//             "D" 0 … 15 LF             darkness
//             [ "S" 1 … 6 LF ]          speed
//             "q" dots LF               width
//             [ "Q" dots ",0" LF ]      length, on continuous paper
//             { graphic }
//             "P" copies LF
//   graphic = "GW" column "," row "," bytes_per_row "," rows ","
//             bytes, a 1 is white, LF
//
// Without Q a label is as long as the printer has sensed. Graphics are not
// compressed, so only what has ink is sent: blocks of rows, as wide as their
// ink. A label that ends early is never printed.

#include <algorithm>

#include "print/language/ink_block.h"
#include "print/language/page_encoder.h"

namespace halftoned {
namespace {

void PutLine(char name, size_t number, std::string& out,
             const char* rest = "") {
  out += name;
  out += std::to_string(number);
  out += rest;
  out += '\n';
}

class EplEncoder : public PageEncoder {
 public:
  void BeginPage(const InkPage& page, std::string& out) override {
    copies_ = static_cast<size_t>(page.copies);
    row_ = 0;
    block_.Begin(page.bytes_per_row());
    out += "\nN\n";
    PutLine('D', static_cast<size_t>(15 * page.darkness / 100), out);
    if (page.inches_per_second > 0) {
      PutLine('S', static_cast<size_t>(std::min(page.inches_per_second, 6)),
              out);
    }
    PutLine('q', 8 * page.bytes_per_row(), out);
    if (page.is_continuous) {
      PutLine('Q', page.header.cupsHeight, out, ",0");
    }
  }

  void WriteRow(std::span<const uint8_t> ink, std::string& out) override {
    const bool is_white = InkBlock::IsWhite(ink);
    if (is_white || !block_.HasRoomFor(ink)) Flush(out);
    if (!is_white) block_.Add(ink);
    ++row_;
  }

  void EndPage(bool is_complete, std::string& out) override {
    if (!is_complete) {
      out += "N\n";
      return;
    }
    Flush(out);
    PutLine('P', copies_, out);
  }

 private:
  // Writes the block that ends above row_.
  void Flush(std::string& out) {
    if (block_.rows() == 0) return;
    out += "GW";
    block_.PutGraphic(row_, "", out);
    out += '\n';
    block_.Clear();
  }

  InkBlock block_;
  size_t row_ = 0;  // number of the next row
  size_t copies_ = 1;
};

}  // namespace

std::unique_ptr<PageEncoder> MakeEplEncoder() {
  return std::make_unique<EplEncoder>();
}

}  // namespace halftoned
