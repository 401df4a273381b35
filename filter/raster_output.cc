// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/raster_output.h"

namespace halftoned {

RasterOutput::RasterOutput(PolledOutput& output, RasterFormat format)
    : outlet_{output, 0, {}}, format_(format) {}

ssize_t RasterOutput::WriteForCups(void* outlet, unsigned char* bytes,
                                   size_t size) {
  auto& to = *static_cast<Outlet*>(outlet);
  if (to.error) return -1;
  const Result<void> written = to.output.Write(
      {reinterpret_cast<const std::byte*>(bytes), size}, to.row_bytes);
  if (written.ok()) return static_cast<ssize_t>(size);
  to.error = written.error();
  return -1;
}

Error RasterOutput::WhatWentWrong() const {
  if (outlet_.error) return *outlet_.error;
  return Bug("libcups does not write this page");
}

Result<void> RasterOutput::BeginPage(const PageHeader& header) {
  outlet_.row_bytes = 0;
  if (!raster_) {
    raster_.reset(cupsRasterOpenIO(WriteForCups, &outlet_,
                                   format_ == RasterFormat::kCups
                                       ? CUPS_RASTER_WRITE
                                       : CUPS_RASTER_WRITE_PWG));
    if (!raster_) return WhatWentWrong();
  }
  PageHeader copy = header;
  if (!cupsRasterWriteHeader2(raster_.get(), &copy)) return WhatWentWrong();
  // PWG raster is compressed: libcups writes it row by row.
  if (format_ == RasterFormat::kCups) {
    outlet_.row_bytes = header.cupsBytesPerLine;
  }
  return {};
}

Result<void> RasterOutput::WriteRows(std::span<const std::byte> rows) {
  if (outlet_.output.stopping()) return IoError("the job was cancelled");
  // libcups only reads through this pointer, although it is not const.
  auto* bytes =
      reinterpret_cast<unsigned char*>(const_cast<std::byte*>(rows.data()));
  const auto size = static_cast<unsigned>(rows.size());
  if (cupsRasterWritePixels(raster_.get(), bytes, size) == size) return {};
  return WhatWentWrong();
}

}  // namespace halftoned
