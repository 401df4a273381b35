// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/shown_part.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace halftoned {
namespace {

constexpr int32_t kRowsOfCrop = 64;

class CroppedPage : public PageReader {
 public:
  CroppedPage(std::unique_ptr<PageReader> picture, PageInfo info,
              const Part& part, std::function<Result<void>()> check)
      : PageReader(std::move(info)),
        picture_(std::move(picture)),
        part_(part),
        check_(std::move(check)),
        row_bytes_(picture_->info().bytes_per_row()),
        is_deep_(picture_->info().page.depth() == Depth::k16),
        skip_(part.top),
        rows_((row_bytes_ * kRowsOfCrop + 1) / 2) {}

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    for (int32_t filled = 0; filled < room.rows;) {
      const int64_t wanted = skip_ + room.rows - filled;
      HALFTONED_TRY_ASSIGN(const int32_t rows, ReadMore(wanted));
      const auto skipped = static_cast<int32_t>(std::min<int64_t>(skip_, rows));
      skip_ -= skipped;
      for (int32_t row = skipped; row < rows; ++row) {
        Copy(row, room.row(filled++));
      }
    }
    return {};
  }

 private:
  Result<int32_t> ReadMore(int64_t wanted) {
    HALFTONED_TRY(check_());
    HALFTONED_TRY_ASSIGN(
        const Filled filled,
        picture_->Read(
            {reinterpret_cast<std::byte*>(rows_.data()), row_bytes_,
             static_cast<int32_t>(std::min<int64_t>(wanted, kRowsOfCrop))}));
    if (filled.rows == 0) return BadInput("ends too early");
    return filled.rows;
  }

  void Copy(int32_t row, std::byte* to) const {
    const auto* from = reinterpret_cast<const std::byte*>(rows_.data()) +
                       row_bytes_ * static_cast<size_t>(row);
    const auto count = static_cast<size_t>(part_.width);
    if (!is_deep_) {
      std::memcpy(to, from + part_.left, count);
      return;
    }
    const auto* samples = reinterpret_cast<const uint16_t*>(from) + part_.left;
    std::transform(samples, samples + count, to, [](uint16_t sample) {
      return static_cast<std::byte>((sample + 128) / 257);
    });
  }

  const std::unique_ptr<PageReader> picture_;
  const Part part_;
  const std::function<Result<void>()> check_;
  const size_t row_bytes_;  // of the picture
  const bool is_deep_;
  int64_t skip_;                // rows above the part
  std::vector<uint16_t> rows_;  // words, for alignment
};

}  // namespace

Part ShownPart(const Area& picture, const Area& sheet, int64_t x, int64_t y) {
  Part part{std::max<int64_t>(0, -x), std::max<int64_t>(0, -y), 0, 0};
  part.width = std::min(picture.width, sheet.width - x) - part.left;
  part.rows = std::min(picture.rows, sheet.rows - y) - part.top;
  return part;
}

Result<std::unique_ptr<PageReader>> Crop(std::unique_ptr<PageReader> picture,
                                         const Part& part,
                                         std::function<Result<void>()> check) {
  if (part.rows < 1) return BadInput("the picture is not on the sheet");
  HALFTONED_TRY_ASSIGN(const Page page, Page::Make(part.width, 8));
  return std::unique_ptr<PageReader>(std::make_unique<CroppedPage>(
      std::move(picture), PageInfo{page, part.rows, {}}, part,
      std::move(check)));
}

}  // namespace halftoned
