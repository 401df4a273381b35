// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/orientation.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "print/file/temporary_file.h"

namespace halftoned {
namespace {

template <typename Sample>
void ReverseSamples(std::byte* row, size_t width) {
  auto* samples = reinterpret_cast<Sample*>(row);
  std::reverse(samples, samples + width);
}

using Rgb = std::array<uint8_t, 3>;

void MirrorRow(std::byte* row, const PageInfo& info) {
  const auto width = static_cast<size_t>(info.page.width());
  switch (info.bytes_per_pixel()) {
    case 1:
      return ReverseSamples<uint8_t>(row, width);
    case 2:
      return ReverseSamples<uint16_t>(row, width);
    default:
      return ReverseSamples<Rgb>(row, width);
  }
}

// Transposes columns × rows samples.
template <typename Sample>
void TransposeSamples(const std::byte* from, size_t columns, size_t rows,
                      std::byte* to) {
  const auto* in = reinterpret_cast<const Sample*>(from);
  auto* out = reinterpret_cast<Sample*>(to);
  for (size_t column = 0; column < columns; ++column) {
    for (size_t row = 0; row < rows; ++row) {
      *out++ = in[row * columns + column];
    }
  }
}

void Transpose(size_t bytes_per_pixel, const std::byte* from, size_t columns,
               size_t rows, std::byte* to) {
  switch (bytes_per_pixel) {
    case 1:
      return TransposeSamples<uint8_t>(from, columns, rows, to);
    case 2:
      return TransposeSamples<uint16_t>(from, columns, rows, to);
    default:
      return TransposeSamples<Rgb>(from, columns, rows, to);
  }
}

class MirroredPage : public PageReader {
 public:
  explicit MirroredPage(std::unique_ptr<PageReader> stored)
      : PageReader(stored->info()), stored_(std::move(stored)) {}

  void Cancel() override { stored_->Cancel(); }

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    GrayRoom left = room;
    while (left.rows > 0) {
      HALFTONED_TRY_ASSIGN(const Filled filled, stored_->Read(left));
      left.bytes = left.row(filled.rows);
      left.rows -= filled.rows;
    }
    for (int32_t i = 0; i < room.rows; ++i) {
      MirrorRow(room.row(i), info());
    }
    return {};
  }

 private:
  std::unique_ptr<PageReader> stored_;
};

// The stored page in a temporary file, in blocks of kBlockRows rows. If the
// page is to be transposed, each block is stored column by column, so that a
// visible row is one run of pixels in each block.
class SpooledPage : public PageReader {
 public:
  SpooledPage(std::unique_ptr<PageReader> stored, PageInfo visible,
              const Orientation& orientation)
      : PageReader(std::move(visible)),
        stored_(std::move(stored)),
        orientation_(orientation),
        bytes_per_pixel_(info().bytes_per_pixel()),
        stored_width_(static_cast<size_t>(stored_->info().page.width())) {}

  void Cancel() override {
    if (stored_) stored_->Cancel();
  }

  // Makes the file. Call it first.
  Result<void> Open(const TakeDisk& take_disk) {
    const auto bytes =
        static_cast<int64_t>(stored_row_bytes()) * stored_->info().rows;
    HALFTONED_TRY_ASSIGN(spool_, MakeGrantedFile(bytes, take_disk));
    return {};
  }

  // Reads the whole stored page, and gives it up.
  Result<void> Keep() {
    HALFTONED_TRY(Spool());
    stored_.reset();
    return {};
  }

 protected:
  Result<void> ReadRows(const GrayRoom& room) override;

 private:
  static constexpr int32_t kBlockRows = 64;

  Result<void> Spool();
  Result<void> ReadFlipped(const GrayRoom& room, int64_t first_row);
  Result<void> ReadTransposed(const GrayRoom& room, int64_t first_column);
  size_t stored_row_bytes() const { return stored_width_ * bytes_per_pixel_; }

  std::unique_ptr<PageReader> stored_;  // null once it was given up
  const Orientation orientation_;
  const size_t bytes_per_pixel_;
  const size_t stored_width_;
  GrantedFile spool_;
  bool is_spooled_ = false;
  int64_t rows_given_ = 0;
  std::vector<std::byte> scratch_;
};

Result<void> SpooledPage::Spool() {
  is_spooled_ = true;
  std::vector<std::byte> block(kBlockRows * stored_row_bytes());
  std::vector<std::byte> turned(orientation_.transpose ? block.size() : 0);
  for (bool last = false; !last;) {
    int32_t rows = 0;
    while (rows < kBlockRows && !last) {
      HALFTONED_TRY_ASSIGN(
          const Filled filled,
          stored_->Read({block.data() + size_t(rows) * stored_row_bytes(),
                         stored_row_bytes(), kBlockRows - rows}));
      rows += filled.rows;
      last = filled.last;
    }
    std::span<const std::byte> bytes(block.data(),
                                     size_t(rows) * stored_row_bytes());
    if (orientation_.transpose) {
      Transpose(bytes_per_pixel_, block.data(), stored_width_, size_t(rows),
                turned.data());
      bytes = std::span<const std::byte>(turned).first(bytes.size());
    }
    if (auto put = WriteFully(spool_.get(), bytes); !put.ok()) {
      return IoError("cannot make a temporary copy of the page: " +
                     put.error().message);
    }
  }
  return {};
}

// Reads stored rows, from first_row on, in the order in which they are stored.
Result<void> SpooledPage::ReadFlipped(const GrayRoom& room, int64_t first_row) {
  for (int32_t i = 0; i < room.rows; ++i) {
    HALFTONED_TRY(ReadAt(spool_.get(),
                         (first_row + i) * int64_t(stored_row_bytes()),
                         {room.row(i), stored_row_bytes()}));
  }
  return {};
}

// Reads stored columns, from first_column on, as rows.
Result<void> SpooledPage::ReadTransposed(const GrayRoom& room,
                                         int64_t first_column) {
  const int64_t stored_rows = info().page.width();
  const auto columns = static_cast<size_t>(room.rows);
  scratch_.resize(kBlockRows * columns * bytes_per_pixel_);
  for (int64_t row = 0; row < stored_rows; row += kBlockRows) {
    const auto rows =
        static_cast<size_t>(std::min<int64_t>(kBlockRows, stored_rows - row));
    const size_t run = rows * bytes_per_pixel_;
    HALFTONED_TRY(
        ReadAt(spool_.get(),
               row * int64_t(stored_row_bytes()) + first_column * int64_t(run),
               std::span(scratch_).first(columns * run)));
    for (size_t i = 0; i < columns; ++i) {
      std::memcpy(room.row(int32_t(i)) + size_t(row) * bytes_per_pixel_,
                  scratch_.data() + i * run, run);
    }
  }
  return {};
}

Result<void> SpooledPage::ReadRows(const GrayRoom& room) {
  if (!is_spooled_) HALFTONED_TRY(Spool());
  const int64_t first = orientation_.mirror_y
                            ? info().rows - rows_given_ - room.rows
                            : rows_given_;
  HALFTONED_TRY(orientation_.transpose ? ReadTransposed(room, first)
                                       : ReadFlipped(room, first));
  rows_given_ += room.rows;
  const size_t bytes = info().bytes_per_row();
  if (orientation_.mirror_y) {
    for (int32_t i = 0; i < room.rows / 2; ++i) {
      std::swap_ranges(room.row(i), room.row(i) + bytes,
                       room.row(room.rows - 1 - i));
    }
  }
  if (orientation_.mirror_x) {
    for (int32_t i = 0; i < room.rows; ++i) {
      MirrorRow(room.row(i), info());
    }
  }
  return {};
}

}  // namespace

Result<Orientation> OrientationOf(int number) {
  constexpr Orientation kOrientations[] = {
      {false, false, false}, {false, true, false}, {false, true, true},
      {false, false, true},  {true, false, false}, {true, true, false},
      {true, true, true},    {true, false, true},
  };
  if (number < 1 || number > 8) {
    return BadInput("orientation " + std::to_string(number) +
                    " is not in 1 … 8");
  }
  return kOrientations[number - 1];
}

Result<std::unique_ptr<PageReader>> Orient(std::unique_ptr<PageReader> stored,
                                           const Orientation& orientation,
                                           const TakeDisk& take_disk) {
  if (orientation.is_upright()) return stored;
  if (!orientation.transpose && !orientation.mirror_y) {
    return std::unique_ptr<PageReader>(
        std::make_unique<MirroredPage>(std::move(stored)));
  }
  PageInfo visible = stored->info();
  if (orientation.transpose) {
    visible.rows = stored->info().page.width();
    if (stored->info().rows > Page::kMaxWidth) {
      return BadInput("has " + std::to_string(stored->info().rows) +
                      " rows; rotated, it would be wider than " +
                      std::to_string(Page::kMaxWidth));
    }
    HALFTONED_TRY_ASSIGN(visible.page,
                         Page::Make(stored->info().rows,
                                    static_cast<int>(visible.page.depth())));
    if (visible.metadata.resolution) {
      std::swap(visible.metadata.resolution->x, visible.metadata.resolution->y);
    }
  }
  auto page = std::make_unique<SpooledPage>(std::move(stored),
                                            std::move(visible), orientation);
  HALFTONED_TRY(page->Open(take_disk));
  return std::unique_ptr<PageReader>(std::move(page));
}

Result<std::unique_ptr<PageReader>> CopyToFile(std::unique_ptr<PageReader> page,
                                               const TakeDisk& take_disk) {
  if (auto* spooled = dynamic_cast<SpooledPage*>(page.get())) {
    HALFTONED_TRY(spooled->Keep());
    return page;
  }
  PageInfo info = page->info();
  auto copy = std::make_unique<SpooledPage>(std::move(page), std::move(info),
                                            Orientation{});
  HALFTONED_TRY(copy->Open(take_disk));
  HALFTONED_TRY(copy->Keep());
  return std::unique_ptr<PageReader>(std::move(copy));
}

}  // namespace halftoned
