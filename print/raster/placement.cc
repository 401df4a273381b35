// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/placement.h"

#include <bit>
#include <cstring>

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

  // Whether all `count` bytes from `i` on are light, and none is the last.
  bool HasWhole(int64_t i, int64_t count) const {
    return i >= 0 && i + count < bytes_;
  }

  // Eight bytes, `shift` bits after byte i, of nine whole ones.
  uint64_t EightAt(int64_t i, unsigned shift) const {
    static_assert(std::endian::native == std::endian::little);
    uint64_t light;
    std::memcpy(&light, light_ + i, sizeof(light));
    const auto next = std::to_integer<uint64_t>(light_[i + 8]);
    return __builtin_bswap64(
        ~(__builtin_bswap64(light) << shift | next >> (8 - shift)));
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
  const InkOfRow from(placement, light);
  const int64_t first_bit = -placement.left * placement.bits_per_sample;
  const int64_t first = FloorDivide(first_bit, 8);
  const auto shift = static_cast<unsigned>(first_bit - 8 * first);
  for (int64_t i = 0; i < bytes;) {
    if (i + 8 <= bytes && from.HasWhole(first + i, 9)) {
      const uint64_t eight = from.EightAt(first + i, shift);
      std::memcpy(ink + i, &eight, sizeof(eight));
      i += 8;
    } else {
      ink[i] = from[first + i] << shift | from[first + i + 1] >> (8 - shift);
      ++i;
    }
  }
  ClearTail(ink, placement.width_out, placement.bits_per_sample);
}

}  // namespace halftoned
