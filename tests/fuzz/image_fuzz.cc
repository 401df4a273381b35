// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images of every format: whatever the bytes are, reading them ends, and every
// row that is given has been filled.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/descriptor.h"
#include "print/file/input_file.h"
#include "print/image/open_image.h"

namespace halftoned {
namespace {

// Rows beyond these are more of the same, and would only take time.
constexpr int64_t kMaxRows = 2000;
constexpr int kMaxPages = 20;
constexpr int32_t kRowsAtOnce = 16;

void ReadPage(PageReader& page) {
  const size_t bytes_per_row = page.info().bytes_per_row();
  std::vector<std::byte> room(kRowsAtOnce * bytes_per_row);
  for (int64_t rows = 0; rows < kMaxRows;) {
    const auto filled = page.Read({room.data(), bytes_per_row, kRowsAtOnce});
    if (!filled.ok() || filled->last) return;
    rows += filled->rows;
  }
}

void ReadImage(std::span<const std::byte> bytes, bool in_color) {
  Descriptor fd(::memfd_create("image", MFD_CLOEXEC));
  if (!WriteFully(fd.get(), bytes).ok()) return;
  if (::lseek(fd.get(), 0, SEEK_SET) != 0) return;
  auto file = InputFile::FromDescriptor(std::move(fd));
  if (!file.ok()) return;
  const auto image = in_color ? OpenColorImage(*file) : OpenImage(*file);
  if (!image.ok()) return;
  for (int pages = 0; pages < kMaxPages; ++pages) {
    const auto page = image.value()->Next();
    if (!page.ok() || !page.value()) return;
    ReadPage(*page.value());
  }
}

}  // namespace
}  // namespace halftoned

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (const bool in_color : {false, true}) {
    halftoned::ReadImage(std::as_bytes(std::span(data, size)), in_color);
  }
  return 0;
}
