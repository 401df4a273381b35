// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PWG raster of one bit (black_1), as libcups writes it.

#include <vector>

#include "print/language/page_encoder.h"

namespace halftoned {
namespace {

struct Closer {
  void operator()(cups_raster_t* raster) const { cupsRasterClose(raster); }
};

class PwgEncoder : public PageEncoder {
 public:
  void BeginPage(const InkPage& page, std::string& out) override {
    if (!raster_) {
      raster_.reset(cupsRasterOpenIO(Keep, &bytes_, CUPS_RASTER_WRITE_PWG));
    }
    cups_page_header2_t header = page.header;
    header.cupsBitsPerColor = header.cupsBitsPerPixel = 1;
    header.cupsNumColors = 1;
    header.cupsColorSpace = CUPS_CSPACE_K;
    header.cupsBytesPerLine = static_cast<unsigned>(page.bytes_per_row());
    header.NumCopies = static_cast<unsigned>(page.copies);
    rows_left_ = header.cupsHeight;
    row_.assign(page.bytes_per_row(), 0);
    if (raster_) cupsRasterWriteHeader2(raster_.get(), &header);
    Flush(out);
  }

  void WriteRow(std::span<const uint8_t> ink, std::string& out) override {
    row_.assign(ink.begin(), ink.end());
    --rows_left_;
    if (raster_) {
      cupsRasterWritePixels(raster_.get(), row_.data(),
                            static_cast<unsigned>(row_.size()));
    }
    Flush(out);
  }

  // A page that ends early is filled with white: the stream has no other end.
  void EndPage(bool /*is_complete*/, std::string& out) override {
    const std::vector<uint8_t> white(row_.size());
    while (rows_left_ > 0) WriteRow(white, out);
  }

 private:
  static ssize_t Keep(void* bytes, unsigned char* more, size_t size) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<char*>(more),
                                             size);
    return static_cast<ssize_t>(size);
  }

  void Flush(std::string& out) {
    out += bytes_;
    bytes_.clear();
  }

  std::string bytes_;  // outlives raster_, which writes to it
  std::unique_ptr<cups_raster_t, Closer> raster_;
  std::vector<uint8_t> row_;
  uint32_t rows_left_ = 0;
};

}  // namespace

std::unique_ptr<PageEncoder> MakePwgEncoder() {
  return std::make_unique<PwgEncoder>();
}

}  // namespace halftoned
