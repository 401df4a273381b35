// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/software.h"

#include <sys/stat.h>

#include <cstddef>
#include <span>
#include <string_view>

#include "print/file/temporary_file.h"
#include "print/image/tiff/tiff_file.h"

namespace halftoned {
namespace {

constexpr std::string_view kPngStart = "\x89PNG\r\n\x1a\n";
// The length of the last chunk, its name and its checksum.
constexpr std::string_view kPngEnd("\0\0\0\0IEND\xae\x42\x60\x82", 12);

// `bytes` of the file from `offset` on; empty if there are fewer.
std::string Part(int fd, int64_t offset, size_t bytes) {
  std::string part(bytes, '\0');
  const auto room = std::as_writable_bytes(std::span(part));
  return offset >= 0 && ReadAt(fd, offset, room).ok() ? part : "";
}

uint32_t NumberIn(std::string_view four_bytes) {
  uint32_t number = 0;
  for (const char c : four_bytes) {
    number = number << 8 | static_cast<unsigned char>(c);
  }
  return number;
}

// Whether a text chunk before the pixels is `wanted`.
bool HasText(int fd, std::string_view wanted) {
  int64_t at = kPngStart.size();
  for (;;) {
    const std::string head = Part(fd, at, 8);
    if (head.empty() || head.ends_with("IDAT")) return false;
    const uint32_t bytes = NumberIn(std::string_view(head).substr(0, 4));
    if (head.ends_with("tEXt") && bytes == wanted.size() &&
        Part(fd, at + 8, bytes) == wanted) {
      return true;
    }
    at += int64_t{12} + bytes;
  }
}

bool IsWholePng(int fd, int64_t size, const std::string& software) {
  constexpr auto kEndBytes = static_cast<int64_t>(kPngEnd.size());
  return Part(fd, size - kEndBytes, kPngEnd.size()) == kPngEnd &&
         HasText(fd, std::string("Software") + '\0' + software);
}

bool HasAllStrips(TIFF* tiff, int64_t size) {
  const uint32_t strips = TIFFNumberOfStrips(tiff);
  for (uint32_t i = 0; i < strips; ++i) {
    const uint64_t offset = TIFFGetStrileOffset(tiff, i);
    const uint64_t bytes = TIFFGetStrileByteCount(tiff, i);
    const auto end = static_cast<uint64_t>(size);
    if (bytes == 0 || offset > end || bytes > end - offset) return false;
  }
  return strips > 0;
}

bool IsPageMadeBy(const std::string& software, TiffFile& tiff) {
  const char* text = nullptr;
  return TIFFGetField(tiff.get(), TIFFTAG_SOFTWARE, &text) == 1 && text &&
         text == software && HasAllStrips(tiff.get(), tiff.size());
}

int64_t TiffPagesMadeBy(const std::string& software, int fd) {
  const auto tiff = TiffFile::OpenToRead(fd, nullptr);
  if (!tiff.ok()) return 0;
  for (int64_t pages = 1;; ++pages) {
    if (!IsPageMadeBy(software, **tiff)) return 0;
    if (TIFFLastDirectory((*tiff)->get())) return pages;
    if (!(*tiff)->ReadDirectory()) return 0;
  }
}

}  // namespace

std::string SoftwareText(const OutputOptions& options) {
  std::string text = "halftone " HALFTONED_VERSION;
  if (!options.made_from.empty()) text += "; " + options.made_from;
  return text;
}

int64_t PagesMadeBy(const std::string& software, int fd) {
  struct stat status;
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  if (Part(fd, 0, kPngStart.size()) == kPngStart) {
    return IsWholePng(fd, status.st_size, software) ? 1 : 0;
  }
  return TiffPagesMadeBy(software, fd);
}

}  // namespace halftoned
