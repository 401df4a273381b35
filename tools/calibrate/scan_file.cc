// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/scan_file.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "convert/stages.h"
#include "print/image/open_image.h"

namespace halftoned {
namespace {

constexpr int64_t kMostPixels = int64_t{1} << 28;  // A4 in 1200 dpi

Result<GrayPicture> Read(PageReader& page) {
  const PageInfo& info = page.info();
  const int32_t width = info.page.width();
  if (info.rows > kMostPixels / width) {
    return BadInput("has too many pixels: scan at 300 dpi or less");
  }
  GrayPicture picture(width, static_cast<int>(info.rows));
  const size_t bytes = BytesPerSample(info.page.depth());
  // 16-bit samples are native-endian.
  const size_t high =
      std::endian::native == std::endian::little ? bytes - 1 : 0;
  std::vector<std::byte> row(info.page.gray_bytes_per_row());
  for (int y = 0; y < picture.height; ++y) {
    HALFTONED_TRY(page.Read({row.data(), row.size(), 1}));
    uint8_t* gray = picture.Row(y);
    for (int x = 0; x < width; ++x) {
      gray[x] = std::to_integer<uint8_t>(row[bytes * x + high]);
    }
  }
  return picture;
}

}  // namespace

Result<GrayPicture> ReadScan(const std::string& path) {
  Stage stage{path == "-" ? "standard input" : path};
  return stage.Do([&]() -> Result<GrayPicture> {
    HALFTONED_TRY_ASSIGN(InputFile file, InputFile::Open(path));
    HALFTONED_TRY_ASSIGN(const auto image, OpenImage(file));
    HALFTONED_TRY_ASSIGN(const auto page, image->Next());
    if (!page) return BadInput("has no page");
    return Read(*page);
  });
}

}  // namespace halftoned
