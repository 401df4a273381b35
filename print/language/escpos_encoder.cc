// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ESC/POS, for receipt printers: raster graphics in bands, each of which is
// printed as it arrives.
//
//   job  = ESC "@" { page }
//   page = { band } end
//   band = GS "v0" 0, bytes_per_row, rows (each 2 bytes, the low one first),
//          bytes, a 1 is ink
//   end  = GS "V" 66 0           feeds to the cutter and cuts
//        | ESC "d" 4             feeds 4 lines, past the tear bar
//
// Units of feeds differ between models. So white rows are bands of one byte per
// row; those that end a page are not printed, which saves paper. The printer
// makes no copies: the page's bytes are kept and sent again. A cash drawer
// stays closed.

#include <algorithm>
#include <vector>

#include "print/language/ink_block.h"
#include "print/language/page_encoder.h"

namespace halftoned {
namespace {

// Fits the receive buffers of all models, and the 255 rows of some.
constexpr size_t kMostBandBytes = 4000;
constexpr size_t kMostBandRows = 255;

class EscPosEncoder : public PageEncoder {
 public:
  explicit EscPosEncoder(size_t head_dots) : head_dots_(head_dots) {}

  void BeginJob(std::string& out) override { out += "\033@"; }

  void BeginPage(const InkPage& page, std::string& /*out*/) override {
    const size_t dots = page.header.cupsWidth;
    skipped_dots_ = dots > head_dots_ ? (dots - head_dots_) / 2 : 0;
    row_.assign((std::min(dots, head_dots_) + 7) / 8, 0);
    block_.Begin(row_.size());
    white_rows_ = 0;
    copies_left_ = page.copies - 1;
    is_cut_ = page.is_cut;
    page_.clear();
  }

  void WriteRow(std::span<const uint8_t> ink, std::string& out) override {
    TakeHeadsDots(ink);
    const bool is_white = InkBlock::IsWhite(row_);
    if (is_white || block_.bytes() + row_.size() > kMostBandBytes ||
        block_.rows() == kMostBandRows) {
      Flush(out);
    }
    if (is_white) {
      ++white_rows_;
      return;
    }
    FeedWhite(out);
    block_.Add(row_);
  }

  // What has been printed is cut off, whether or not it is complete.
  void EndPage(bool is_complete, std::string& out) override {
    Flush(out);
    Put(is_cut_ ? std::string_view("\035V\102\0", 4) : "\033d\004", out);
    if (!is_complete) copies_left_ = 0;
  }

  bool RepeatPage(std::string& out) override {
    if (copies_left_ <= 0) return false;
    --copies_left_;
    out += page_;
    return true;
  }

 private:
  // The dots in the middle that the head can print.
  void TakeHeadsDots(std::span<const uint8_t> ink) {
    const size_t bytes = skipped_dots_ / 8;
    const size_t bits = skipped_dots_ % 8;
    const auto at = [&](size_t i) {
      return i < ink.size() ? unsigned{ink[i]} : 0u;
    };
    for (size_t i = 0; i < row_.size(); ++i) {
      const unsigned two = at(bytes + i) << 8 | at(bytes + i + 1);
      row_[i] = static_cast<uint8_t>(two >> (8 - bits));
    }
    if (const size_t rest = head_dots_ % 8; rest && skipped_dots_ > 0) {
      row_.back() &= static_cast<uint8_t>(0xff00 >> rest);
    }
  }

  void PutBand(size_t bytes_per_row, size_t rows, std::string& out) {
    const char header[] = {'\035',
                           'v',
                           '0',
                           0,
                           static_cast<char>(bytes_per_row & 255),
                           static_cast<char>(bytes_per_row >> 8),
                           static_cast<char>(rows & 255),
                           static_cast<char>(rows >> 8)};
    Put({header, sizeof(header)}, out);
  }

  void FeedWhite(std::string& out) {
    while (white_rows_ > 0) {
      const size_t rows = std::min(white_rows_, kMostBandRows);
      PutBand(1, rows, out);
      Put(std::string(rows, '\0'), out);
      white_rows_ -= rows;
    }
  }

  void Flush(std::string& out) {
    if (block_.rows() == 0) return;
    const size_t end = block_.Columns().second;
    PutBand(end, block_.rows(), out);
    for (size_t row = 0; row < block_.rows(); ++row) {
      const auto ink = block_.Row(row).first(end);
      Put({reinterpret_cast<const char*>(ink.data()), ink.size()}, out);
    }
    block_.Clear();
  }

  void Put(std::string_view bytes, std::string& out) {
    out += bytes;
    if (copies_left_ > 0) page_ += bytes;
  }

  const size_t head_dots_;
  size_t skipped_dots_ = 0;  // left of the head
  std::vector<uint8_t> row_;
  InkBlock block_;
  size_t white_rows_ = 0;  // not sent yet
  int copies_left_ = 0;
  bool is_cut_ = false;
  std::string page_;  // as it was sent, if it is to be sent again
};

}  // namespace

std::unique_ptr<PageEncoder> MakeEscPosEncoder(int head_dots) {
  return std::make_unique<EscPosEncoder>(static_cast<size_t>(head_dots));
}

}  // namespace halftoned
