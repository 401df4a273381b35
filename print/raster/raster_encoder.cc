// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/raster_encoder.h"

#include <algorithm>

namespace halftoned {
namespace {

cups_mode_t ModeOf(RasterFormat format) {
  switch (format) {
    case RasterFormat::kCups:
    case RasterFormat::kCupsBlack:
      return CUPS_RASTER_WRITE;
    case RasterFormat::kUrf:
      return CUPS_RASTER_WRITE_APPLE;
    case RasterFormat::kPwg:
    case RasterFormat::kPwgGray:
      break;
  }
  return CUPS_RASTER_WRITE_PWG;
}

// The pixels of 8 dots, for each byte of dots of ink.
using PixelsOfDots = std::array<std::array<std::byte, 8>, 256>;

constexpr PixelsOfDots MakePixels(std::byte ink) {
  PixelsOfDots pixels{};
  for (size_t dots = 0; dots < pixels.size(); ++dots) {
    for (size_t i = 0; i < 8; ++i) {
      pixels[dots][i] = (dots >> (7 - i)) & 1 ? ink : ~ink;
    }
  }
  return pixels;
}

constexpr PixelsOfDots kLight = MakePixels(std::byte{0});
constexpr PixelsOfDots kBlack = MakePixels(std::byte{255});

}  // namespace

std::optional<RasterEncoder::Samples> RasterEncoder::SamplesOf(
    RasterFormat format) {
  switch (format) {
    case RasterFormat::kCupsBlack:
      return Samples{CUPS_CSPACE_K, kBlack.data()};
    case RasterFormat::kPwgGray:
    case RasterFormat::kUrf:
      return Samples{CUPS_CSPACE_SW, kLight.data()};
    case RasterFormat::kCups:
    case RasterFormat::kPwg:
      break;
  }
  return std::nullopt;
}

RasterEncoder::RasterEncoder(RasterFormat format, Put put)
    : outlet_{std::move(put), {}},
      format_(format),
      samples_(SamplesOf(format)) {}

ssize_t RasterEncoder::WriteForCups(void* outlet, unsigned char* bytes,
                                    size_t size) {
  auto& to = *static_cast<Outlet*>(outlet);
  if (to.error) return -1;
  const Result<void> written =
      to.put({reinterpret_cast<const std::byte*>(bytes), size});
  if (written.ok()) return static_cast<ssize_t>(size);
  to.error = written.error();
  return -1;
}

Error RasterEncoder::WhatWentWrong() const {
  if (outlet_.error) return *outlet_.error;
  return Bug("libcups cannot write this page");
}

Result<void> RasterEncoder::BeginPage(const PageHeader& header) {
  row_bytes_ = 0;
  if (!raster_) {
    raster_.reset(cupsRasterOpenIO(WriteForCups, &outlet_, ModeOf(format_)));
    if (!raster_) return WhatWentWrong();
  }
  PageHeader copy = header;
  bit_row_bytes_ = header.cupsBytesPerLine;
  columns_ = header.cupsWidth;
  if (samples_) {
    copy.cupsBitsPerColor = 8;
    copy.cupsBitsPerPixel = 8;
    copy.cupsBytesPerLine = header.cupsWidth;
    copy.cupsColorSpace = samples_->space;
  }
  if (!cupsRasterWriteHeader2(raster_.get(), &copy)) return WhatWentWrong();
  if (IsCupsRaster(format_)) {
    row_bytes_ = copy.cupsBytesPerLine;
    return {};
  }
  // Only URF has lines that are narrower than pixels.
  const unsigned lines = format_ == RasterFormat::kUrf
                             ? copy.HWResolution[0] / copy.HWResolution[1]
                             : 1;
  packer_.emplace(copy.cupsBytesPerLine, copy.cupsHeight,
                  static_cast<int32_t>(lines));
  return {};
}

void RasterEncoder::Expand(std::span<const std::byte> rows) {
  pixels_.resize(rows.size() / bit_row_bytes_ * columns_);
  std::byte* pixels = pixels_.data();
  for (size_t at = 0; at < rows.size(); at += bit_row_bytes_) {
    for (size_t column = 0; column < columns_; column += 8) {
      const auto& eight =
          samples_->of_dots[std::to_integer<size_t>(rows[at + column / 8])];
      pixels = std::copy_n(eight.begin(),
                           std::min<size_t>(8, columns_ - column), pixels);
    }
  }
}

Result<void> RasterEncoder::WriteRows(std::span<const std::byte> rows) {
  if (samples_) {
    Expand(rows);
    rows = pixels_;
  }
  if (packer_) return WritePacked(rows);
  // libcups only reads through this pointer, although it is not const.
  auto* bytes =
      reinterpret_cast<unsigned char*>(const_cast<std::byte*>(rows.data()));
  const auto size = static_cast<unsigned>(rows.size());
  if (cupsRasterWritePixels(raster_.get(), bytes, size) == size) return {};
  return WhatWentWrong();
}

Result<void> RasterEncoder::WritePacked(std::span<const std::byte> rows) {
  if (static_cast<int64_t>(rows.size() / packer_->row_bytes()) >
      packer_->rows_left()) {
    return Bug("the page has too many rows");
  }
  packed_.clear();
  packer_->Pack(rows, packed_);
  if (packed_.empty()) return {};
  return outlet_.put(packed_);
}

}  // namespace halftoned
