// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/placement.h"

namespace halftoned {
namespace {

size_t BytesFor(int64_t columns, int32_t bits_per_sample) {
  return static_cast<size_t>((columns * bits_per_sample + 7) / 8);
}

// Clears the bits after the last column in the last byte of a row.
void ClearTail(std::byte* row, int64_t columns, int32_t bits_per_sample) {
  const int64_t bits = columns * bits_per_sample;
  if (bits % 8 == 0) return;
  row[bits / 8] &= static_cast<std::byte>(0xff << (8 - bits % 8));
}

// The bytes of ink of a row of light, for any index: 0 outside the row.
class InkOfRow {
 public:
  InkOfRow(const Placement& placement, const std::byte* light)
      : light_(light),
        bytes_(static_cast<int64_t>(placement.bytes_per_row_in())),
        last_(~light[bytes_ - 1]) {
    const auto bits = int64_t{placement.width_in} * placement.bits_per_sample;
    if (bits % 8 != 0) last_ &= static_cast<std::byte>(0xff << (8 - bits % 8));
  }

  std::byte operator[](int64_t i) const {
    if (i < 0 || i >= bytes_) return std::byte{0};
    return i == bytes_ - 1 ? last_ : ~light_[i];
  }

 private:
  const std::byte* light_;
  int64_t bytes_;
  std::byte last_;
};

int64_t FloorDivide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

}  // namespace

Placement Placement::Whole(int32_t width, int64_t rows,
                           int32_t bits_per_sample) {
  return {bits_per_sample, width, rows, width, rows};
}

size_t Placement::bytes_per_row_in() const {
  return BytesFor(width_in, bits_per_sample);
}

size_t Placement::bytes_per_row_out() const {
  return BytesFor(width_out, bits_per_sample);
}

void PlaceRow(const Placement& placement, const std::byte* light,
              std::byte* ink) {
  const auto bytes = static_cast<int64_t>(placement.bytes_per_row_out());
  if (!placement.moves_columns()) {
    for (int64_t i = 0; i < bytes; ++i) ink[i] = ~light[i];
  } else {
    const InkOfRow from(placement, light);
    const int64_t first_bit = -placement.left * placement.bits_per_sample;
    const int64_t first = FloorDivide(first_bit, 8);
    const auto shift = static_cast<unsigned>(first_bit - 8 * first);
    for (int64_t i = 0; i < bytes; ++i) {
      ink[i] = from[first + i] << shift | from[first + i + 1] >> (8 - shift);
    }
  }
  ClearTail(ink, placement.width_out, placement.bits_per_sample);
}

}  // namespace halftoned
