// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uncompressed strips: read from the file without libtiff, straight into the
// band if pixels are gray already. However large a strip is, only some of its
// rows are in memory.

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "print/image/tiff/tiff_rows.h"

namespace halftoned {
namespace {

class RawRows : public TiffRows {
 public:
  RawRows(TiffFile& file, const TiffLayout& layout, size_t row_bytes)
      : file_(file), layout_(layout), row_bytes_(row_bytes) {
    uint16_t fill_order = FILLORDER_MSB2LSB;
    TIFFGetFieldDefaulted(file.get(), TIFFTAG_FILLORDER, &fill_order);
    reverse_bits_ = fill_order == FILLORDER_LSB2MSB;
    swap_bytes_ = TIFFIsByteSwapped(file.get()) != 0;
    strips_a_plane_ =
        (static_cast<uint64_t>(layout.rows) + layout.rows_per_strip - 1) /
        layout.rows_per_strip;
  }

  Result<TiffPlanes> Next() override;
  Result<bool> ReadStraight(const GrayRoom& room) override;

 private:
  static constexpr size_t kBufferBytes = size_t{256} << 10;

  // Consecutive rows in the file.
  struct Run {
    int64_t offset;
    int64_t rows;
  };
  struct Buffer {
    std::vector<std::byte> bytes;
    int64_t first_row = 0;
    int64_t rows = 0;
  };

  Result<Run> FindStrip(int plane, int64_t row);
  Result<Run> FindRun(int plane, int64_t row, int64_t max_rows);
  Result<void> Fill(int plane, Buffer& buffer);
  void MakeNative(std::span<std::byte> samples) const;

  TiffFile& file_;
  const TiffLayout& layout_;
  const size_t row_bytes_;
  bool reverse_bits_;
  bool swap_bytes_;
  uint64_t strips_a_plane_;
  int64_t next_row_ = 0;
  std::array<Buffer, 16> buffers_;
};

// Finds `row` and the rows after it in its strip.
Result<RawRows::Run> RawRows::FindStrip(int plane, int64_t row) {
  const int64_t rows_per_strip = layout_.rows_per_strip;
  const uint64_t strip = static_cast<uint64_t>(row / rows_per_strip) +
                         static_cast<uint64_t>(plane) * strips_a_plane_;
  const std::string name = "strip " + std::to_string(strip);
  if (strip >= TIFFNumberOfStrips(file_.get())) {
    return BadInput(name + " is missing");
  }
  const int64_t row_of_strip = row % rows_per_strip;
  const int64_t strip_rows =
      std::min(rows_per_strip, layout_.rows - row + row_of_strip);
  int failed = 0;
  const auto number = static_cast<uint32_t>(strip);
  const uint64_t offset =
      TIFFGetStrileOffsetWithErr(file_.get(), number, &failed);
  const uint64_t bytes =
      failed ? 0 : TIFFGetStrileByteCountWithErr(file_.get(), number, &failed);
  if (failed) return file_.TakeError(name + " cannot be located");
  if (bytes / row_bytes_ < static_cast<uint64_t>(strip_rows)) {
    return BadInput(name + " has " + std::to_string(bytes) +
                    " bytes, too few for its rows");
  }
  if (offset == 0 || offset > std::numeric_limits<int64_t>::max() / 2) {
    return BadInput(name + " has an invalid offset");
  }
  return Run{static_cast<int64_t>(offset) +
                 row_of_strip * static_cast<int64_t>(row_bytes_),
             strip_rows - row_of_strip};
}

// Extends the run over adjacent strips, up to max_rows.
Result<RawRows::Run> RawRows::FindRun(int plane, int64_t row,
                                      int64_t max_rows) {
  HALFTONED_TRY_ASSIGN(Run run, FindStrip(plane, row));
  while (run.rows < max_rows) {
    HALFTONED_TRY_ASSIGN(const Run next, FindStrip(plane, row + run.rows));
    const int64_t end =
        run.offset + run.rows * static_cast<int64_t>(row_bytes_);
    if (next.offset != end) break;
    run.rows += next.rows;
  }
  run.rows = std::min(run.rows, max_rows);
  return run;
}

void RawRows::MakeNative(std::span<std::byte> samples) const {
  const auto bytes = static_cast<tmsize_t>(samples.size());
  if (reverse_bits_) {
    TIFFReverseBits(reinterpret_cast<uint8_t*>(samples.data()), bytes);
  }
  if (!swap_bytes_) return;
  switch (layout_.format.bits_per_sample) {
    case 16:
      return TIFFSwabArrayOfShort(reinterpret_cast<uint16_t*>(samples.data()),
                                  bytes / 2);
    case 32:
      return TIFFSwabArrayOfLong(reinterpret_cast<uint32_t*>(samples.data()),
                                 bytes / 4);
    case 64:
      return TIFFSwabArrayOfLong8(reinterpret_cast<uint64_t*>(samples.data()),
                                  bytes / 8);
  }
}

Result<void> RawRows::Fill(int plane, Buffer& buffer) {
  const int64_t most =
      static_cast<int64_t>(std::max<size_t>(1, kBufferBytes / row_bytes_));
  HALFTONED_TRY_ASSIGN(
      const Run run,
      FindRun(plane, next_row_, std::min(most, layout_.rows - next_row_)));
  buffer.bytes.resize(static_cast<size_t>(run.rows) * row_bytes_);
  HALFTONED_TRY(file_.ReadPixels(run.offset, buffer.bytes));
  MakeNative(buffer.bytes);
  buffer.first_row = next_row_;
  buffer.rows = run.rows;
  return {};
}

Result<TiffPlanes> RawRows::Next() {
  TiffPlanes planes{};
  for (int plane = 0; plane < layout_.format.planes(); ++plane) {
    if (layout_.format.planar && !IsSampleUsed(layout_.format, plane)) continue;
    Buffer& buffer = buffers_[static_cast<size_t>(plane)];
    if (next_row_ >= buffer.first_row + buffer.rows) {
      HALFTONED_TRY(Fill(plane, buffer));
    }
    planes[static_cast<size_t>(plane)] =
        buffer.bytes.data() +
        static_cast<size_t>(next_row_ - buffer.first_row) * row_bytes_;
  }
  ++next_row_;
  return planes;
}

Result<bool> RawRows::ReadStraight(const GrayRoom& room) {
  const bool is_dense = room.bytes_per_row == row_bytes_;
  for (int32_t i = 0; i < room.rows;) {
    HALFTONED_TRY_ASSIGN(const Run run,
                         FindRun(0, next_row_, is_dense ? room.rows - i : 1));
    const std::span bytes(room.row(i),
                          static_cast<size_t>(run.rows) * row_bytes_);
    HALFTONED_TRY(file_.ReadPixels(run.offset, bytes));
    MakeNative(bytes);
    i += static_cast<int32_t>(run.rows);
    next_row_ += run.rows;
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<TiffRows>> OpenRawTiffRows(TiffFile& file,
                                                  const TiffLayout& layout,
                                                  size_t row_bytes) {
  return std::unique_ptr<TiffRows>(
      std::make_unique<RawRows>(file, layout, row_bytes));
}

}  // namespace halftoned
