// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/exif.h"

#include <cstdint>
#include <cstring>

namespace halftoned {
namespace {

constexpr uint64_t kEntryBytes = 12;
constexpr uint64_t kOrientationTag = 0x112;
constexpr uint64_t kShort = 3;  // the type of its value

// Numbers of the directory; those beyond its end are 0.
class Numbers {
 public:
  explicit Numbers(std::span<const std::byte> bytes) : bytes_(bytes) {
    is_little_ = bytes.size() > 1 && bytes[0] == std::byte{'I'};
  }

  uint64_t At(uint64_t offset, uint64_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return 0;
    uint64_t number = 0;
    for (uint64_t i = 0; i < size; ++i) {
      const uint64_t at = offset + (is_little_ ? size - 1 - i : i);
      number = number << 8 | std::to_integer<uint64_t>(bytes_[at]);
    }
    return number;
  }

 private:
  std::span<const std::byte> bytes_;
  bool is_little_;
};

}  // namespace

int OrientationInExif(std::span<const std::byte> marker) {
  constexpr char kStart[] = "Exif\0";
  if (marker.size() < sizeof(kStart) ||
      std::memcmp(marker.data(), kStart, sizeof(kStart)) != 0) {
    return 1;
  }
  const Numbers numbers(marker.subspan(sizeof(kStart)));
  if (numbers.At(2, 2) != 42) return 1;
  const uint64_t directory = numbers.At(4, 4);
  const uint64_t entries = numbers.At(directory, 2);
  for (uint64_t i = 0; i < entries; ++i) {
    const uint64_t entry = directory + 2 + i * kEntryBytes;
    if (numbers.At(entry, 2) != kOrientationTag) continue;
    const uint64_t value = numbers.At(entry + 8, 2);
    const bool is_known =
        numbers.At(entry + 2, 2) == kShort && value >= 1 && value <= 8;
    return is_known ? static_cast<int>(value) : 1;
  }
  return 1;
}

}  // namespace halftoned
