// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/transform/jpeg_form.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "image/exif.h"

namespace halftoned {
namespace {

constexpr unsigned kApp1 = 0xe1;
constexpr unsigned kApp14 = 0xee;
constexpr unsigned kStartOfScan = 0xda;

// Of frames: not tables of codes, arithmetic conditioning or extensions.
bool IsFrame(unsigned marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 &&
         marker != 0xcc;
}

unsigned ByteAt(std::span<const std::byte> bytes, size_t at) {
  return std::to_integer<unsigned>(bytes[at]);
}

unsigned WordAt(std::span<const std::byte> bytes, size_t at) {
  return ByteAt(bytes, at) << 8 | ByteAt(bytes, at + 1);
}

bool StartsWith(std::span<const std::byte> bytes, std::string_view text) {
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               bytes.size());
  return start.starts_with(text);
}

void ReadSegment(unsigned marker, std::span<const std::byte> segment,
                 JpegForm& form) {
  if (IsFrame(marker) && segment.size() >= 6) {
    form.rows = static_cast<int>(WordAt(segment, 1));
    form.width = static_cast<int>(WordAt(segment, 3));
    form.components = static_cast<int>(ByteAt(segment, 5));
  } else if (marker == kApp14 && StartsWith(segment, "Adobe")) {
    form.is_adobe = true;
  } else if (marker == kApp1 && StartsWith(segment, "Exif")) {
    form.orientation = OrientationInExif(segment);
  }
}

}  // namespace

Result<JpegForm> ReadJpegForm(std::span<const std::byte> file) {
  JpegForm form;
  size_t at = 2;  // behind the marker that starts it
  while (at + 4 <= file.size() && ByteAt(file, at) == 0xff) {
    const unsigned marker = ByteAt(file, at + 1);
    if (marker == 0xff) {  // a byte that fills
      ++at;
      continue;
    }
    if (marker == kStartOfScan) break;
    const size_t size = WordAt(file, at + 2);
    if (size < 2 || at + 2 + size > file.size()) break;
    ReadSegment(marker, file.subspan(at + 4, size - 2), form);
    at += 2 + size;
  }
  const bool is_known =
      form.components == 1 || form.components == 3 || form.components == 4;
  if (form.width > 0 && form.rows > 0 && is_known) return form;
  return BadInput("the JPEG file is damaged: no frame that is known");
}

}  // namespace halftoned
