// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/scale/framed_page.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace halftoned {
namespace {

// One axis: where the page and the frame overlap.
struct Overlap {
  Overlap(int64_t page, int64_t frame)
      : in_page(std::max<int64_t>(0, (page - frame) / 2)),
        in_frame(std::max<int64_t>(0, (frame - page) / 2)),
        length(std::min(page, frame)) {}

  int64_t in_page;
  int64_t in_frame;
  int64_t length;
};

class FramedPage : public PageReader {
 public:
  FramedPage(std::unique_ptr<PageReader> page, PageInfo info)
      : PageReader(std::move(info)),
        page_(std::move(page)),
        across_(page_->info().page.width(), this->info().page.width()),
        down_(page_->info().rows, this->info().rows),
        pitch_(page_->info().bytes_per_row()),
        batch_(kBatchRows * pitch_) {}

  void Cancel() override { page_->Cancel(); }

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    for (int32_t i = 0; i < room.rows; ++i) {
      const int64_t row = rows_made_++ - down_.in_frame;
      const bool is_margin = row < 0 || row >= down_.length;
      if (!is_margin) HALFTONED_TRY(ReadTo(down_.in_page + row));
      MakeRow(is_margin ? nullptr : RowAt(down_.in_page + row), room.row(i));
    }
    if (rows_made_ < info().rows) return {};
    // Reads cropped rows too, since they might be damaged.
    return ReadTo(page_->info().rows - 1);
  }

 private:
  static constexpr int32_t kBatchRows = 64;

  // Reads the page up to this row, which is then in the batch.
  Result<void> ReadTo(int64_t row) {
    while (row >= batch_start_ + batch_rows_) {
      batch_start_ += batch_rows_;
      HALFTONED_TRY_ASSIGN(const Filled filled,
                           page_->Read({batch_.data(), pitch_, kBatchRows}));
      batch_rows_ = filled.rows;
    }
    return {};
  }
  const std::byte* RowAt(int64_t row) const {
    return &batch_[static_cast<size_t>(row - batch_start_) * pitch_];
  }

  // row: of the page; null for a row of the margin.
  void MakeRow(const std::byte* row, std::byte* out) const {
    const auto bytes = [this](int64_t pixels) {
      return static_cast<size_t>(pixels) * info().bytes_per_pixel();
    };
    if (!row || across_.length < info().page.width()) {
      std::memset(out, 0xFF, info().bytes_per_row());
    }
    if (!row) return;
    std::memcpy(out + bytes(across_.in_frame), row + bytes(across_.in_page),
                bytes(across_.length));
  }

  std::unique_ptr<PageReader> page_;
  const Overlap across_;
  const Overlap down_;
  const size_t pitch_;
  std::vector<std::byte> batch_;
  int64_t batch_start_ = 0;  // of the page
  int32_t batch_rows_ = 0;
  int64_t rows_made_ = 0;  // of the frame
};

}  // namespace

Result<std::unique_ptr<PageReader>> Frame(std::unique_ptr<PageReader> page,
                                          int64_t width, int64_t rows) {
  PageInfo info = page->info();
  if (width == info.page.width() && rows == info.rows) return page;
  HALFTONED_TRY_ASSIGN(info.page,
                       Page::Make(width, static_cast<int>(info.page.depth())));
  info.rows = rows;
  return std::unique_ptr<PageReader>(
      std::make_unique<FramedPage>(std::move(page), std::move(info)));
}

}  // namespace halftoned
