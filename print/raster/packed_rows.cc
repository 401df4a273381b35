// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/packed_rows.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace halftoned {
namespace {

std::byte WhiteOf(Colours colours) {
  const bool is_light = colours == Colours::kLight || colours == Colours::kRgb;
  return is_light ? std::byte{0xff} : std::byte{0};
}

// Fills `run` with copies of its first `pixel_bytes`.
void RepeatFirstPixel(std::span<std::byte> run, size_t pixel_bytes) {
  if (pixel_bytes == 1) {
    std::memset(run.data(), std::to_integer<int>(run[0]), run.size());
    return;
  }
  for (size_t done = pixel_bytes; done < run.size();) {
    const size_t more = std::min(done, run.size() - done);
    std::memcpy(run.data() + done, run.data(), more);
    done += more;
  }
}

}  // namespace

PackedRows::PackedRows(RasterBytes& bytes, const RasterForm& form)
    : bytes_(bytes),
      row_bytes_(form.bytes_per_line),
      // With one bit per pixel, a pixel here is the byte of eight pixels.
      pixel_bytes_(std::max<size_t>(
          1, form.bytes_per_line / static_cast<size_t>(form.page.width()))),
      white_(WhiteOf(form.colours)),
      rows_(form.rows),
      rows_left_(form.rows) {}

Result<void> PackedRows::Read(std::span<std::byte> room) {
  for (size_t at = 0; at < room.size(); at += row_bytes_) {
    HALFTONED_TRY(ReadRow(room.data() + at));
  }
  return {};
}

Result<void> PackedRows::ReadRow(std::byte* row) {
  if (rows_left_ == 0) return Bug("the page has no more rows");
  if (same_rows_left_ == 0) {
    HALFTONED_TRY(BeginGroup(row));
  } else {
    std::memcpy(row, same_.data(), row_bytes_);
  }
  --same_rows_left_;
  --rows_left_;
  return {};
}

Result<void> PackedRows::BeginGroup(std::byte* row) {
  std::byte copies;
  if (!bytes_.Take(&copies, 1)) return bytes_.WhyShort();
  const int64_t rows = std::to_integer<int64_t>(copies) + 1;
  if (rows > rows_left_) return InRow("is repeated beyond the end of the page");
  HALFTONED_TRY(Unpack(row));
  if (rows > 1) same_.assign(row, row + row_bytes_);
  same_rows_left_ = rows;
  return {};
}

Result<void> PackedRows::Unpack(std::byte* to) {
  for (size_t left = row_bytes_; left > 0;) {
    std::byte code;
    if (!bytes_.Take(&code, 1)) return bytes_.WhyShort();
    const auto number = std::to_integer<size_t>(code);
    if (number == 128) {
      std::memset(to, std::to_integer<int>(white_), left);
      return {};
    }
    const bool is_same = number < 128;
    const size_t run = (is_same ? number + 1 : 257 - number) * pixel_bytes_;
    if (run > left) return InRow("has more pixels than its page is wide");
    if (!bytes_.Take(to, is_same ? pixel_bytes_ : run)) {
      return bytes_.WhyShort();
    }
    if (is_same) RepeatFirstPixel({to, run}, pixel_bytes_);
    to += run;
    left -= run;
  }
  return {};
}

Error PackedRows::InRow(const char* what) const {
  return BadInput("row " + std::to_string(rows_ - rows_left_ + 1) + ' ' + what);
}

}  // namespace halftoned
