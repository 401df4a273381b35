// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable anymaps: a bitmap (P4, 1 is black) for two levels, a graymap (P5)
// for more; a file may hold several pages. The format has no metadata.

#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "print/image/formats.h"
#include "print/image/samples.h"

namespace halftoned {
namespace {

class PnmWriter : public ImageWriter {
 public:
  explicit PnmWriter(OutputFile& file) : file_(file) {}

  Result<void> Begin(const BitPage& page) override {
    width_ = static_cast<size_t>(page.width);
    bits_per_sample_ = page.bits_per_sample;
    std::ostringstream header;
    header << (bits_per_sample_ == 1 ? "P4\n" : "P5\n");
    header << page.width << ' ' << page.rows << '\n';
    if (bits_per_sample_ > 1) header << (1 << bits_per_sample_) - 1 << '\n';
    const std::string text = header.str();
    return file_.Write(std::as_bytes(std::span(text)));
  }

  Result<void> Write(const BitBand& bits) override {
    const size_t bytes_per_row =
        bits_per_sample_ == 1 ? (width_ + 7) / 8 : width_;
    rows_.resize(bytes_per_row * static_cast<size_t>(bits.rows));
    for (int32_t i = 0; i < bits.rows; ++i) {
      const auto row = std::span(rows_).subspan(
          static_cast<size_t>(i) * bytes_per_row, bytes_per_row);
      if (bits_per_sample_ == 1) {
        InvertBits(bits.row(i), width_, row.data());
      } else {
        UnpackBits(bits.row(i), bits_per_sample_, row);
      }
    }
    return file_.Write(std::as_bytes(std::span(rows_)));
  }

  Result<void> Finish() override { return {}; }

 private:
  OutputFile& file_;
  size_t width_ = 0;
  int bits_per_sample_ = 1;
  std::vector<uint8_t> rows_;
};

}  // namespace

std::unique_ptr<ImageWriter> MakePnmWriter(OutputFile& file,
                                           const OutputOptions&) {
  return std::make_unique<PnmWriter>(file);
}

}  // namespace halftoned
