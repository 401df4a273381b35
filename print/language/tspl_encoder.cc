// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TSPL2, for TSC's and many cheap label printers: graphics are written into an
// image buffer, which is then printed.
//
//   label   = "SIZE " mm " mm," mm " mm" end       width, length
//             [ "GAP 0 mm,0 mm" end ]              on continuous paper
//             "DIRECTION 0" end "REFERENCE 0,0" end
//             "DENSITY " 0 … 15 end
//             [ "SPEED " 1 … 12 end ]
//             "CLS" end                            the buffer is white
//             { graphic }
//             "PRINT 1," copies end
//   graphic = "BITMAP " column "," row "," bytes_per_row "," rows ",0,"
//             bytes, a 0 is black, end
//   end     = CR LF
//
// Without GAP the printer uses the gap that it was set to. Graphics are not
// compressed, so only what has ink is sent: blocks of rows, as wide as their
// ink. A label that ends early is never printed.

#include <algorithm>
#include <string>

#include "print/language/ink_block.h"
#include "print/language/page_encoder.h"

namespace halftoned {
namespace {

constexpr int kMostSpeed = 12;

// Rounded up to hundredths: too small a label would lose dots.
std::string Millimeters(unsigned dots, unsigned dpi) {
  const unsigned hundredths = (dots * 2540 + dpi - 1) / dpi;
  const unsigned rest = hundredths % 100;
  return std::to_string(hundredths / 100) + (rest < 10 ? ".0" : ".") +
         std::to_string(rest) + " mm";
}

class TsplEncoder : public PageEncoder {
 public:
  void BeginPage(const InkPage& page, std::string& out) override {
    copies_ = page.copies;
    row_ = 0;
    block_.Begin(page.bytes_per_row());
    const cups_page_header2_t& header = page.header;
    // Ends a line that an earlier server may have left unfinished.
    out += "\r\n";
    PutLine("SIZE " + Millimeters(header.cupsWidth, header.HWResolution[0]) +
                ',' + Millimeters(header.cupsHeight, header.HWResolution[1]),
            out);
    if (page.is_continuous) PutLine("GAP 0 mm,0 mm", out);
    PutLine("DIRECTION 0", out);
    PutLine("REFERENCE 0,0", out);
    PutLine("DENSITY " + std::to_string(15 * page.darkness / 100), out);
    if (page.inches_per_second > 0) {
      const int speed = std::min(page.inches_per_second, kMostSpeed);
      PutLine("SPEED " + std::to_string(speed), out);
    }
    PutLine("CLS", out);
  }

  void WriteRow(std::span<const uint8_t> ink, std::string& out) override {
    const bool is_white = InkBlock::IsWhite(ink);
    if (is_white || !block_.HasRoomFor(ink)) Flush(out);
    if (!is_white) block_.Add(ink);
    ++row_;
  }

  void EndPage(bool is_complete, std::string& out) override {
    if (!is_complete) {
      PutLine("CLS", out);
      return;
    }
    Flush(out);
    PutLine("PRINT 1," + std::to_string(copies_), out);
  }

 private:
  static void PutLine(const std::string& line, std::string& out) {
    out += line + "\r\n";
  }

  // Writes the block that ends above row_.
  void Flush(std::string& out) {
    if (block_.rows() == 0) return;
    out += "BITMAP ";
    block_.PutGraphic(row_, ",0", out);
    PutLine("", out);
    block_.Clear();
  }

  InkBlock block_;
  size_t row_ = 0;  // number of the next row
  int copies_ = 1;
};

}  // namespace

std::unique_ptr<PageEncoder> MakeTsplEncoder() {
  return std::make_unique<TsplEncoder>();
}

}  // namespace halftoned
