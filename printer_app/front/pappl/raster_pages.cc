// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/raster_pages.h"

#include <algorithm>
#include <cstring>

namespace halftoned {
namespace {

constexpr std::string_view kPwg = "RaS2";
constexpr std::string_view kUrf = {"UNIRAST\0", 8};
constexpr size_t kUrfStart = 12;
constexpr size_t kPwgHeader = 1796;
constexpr size_t kUrfHeader = 32;
constexpr uint8_t kWhiteToEnd = 128;

// Offsets in headers of PWG raster: numbers.
constexpr size_t kWidth = 372, kRows = 376, kBitsPerColor = 384,
                 kBitsPerPixel = 388, kBytesPerLine = 392, kColorOrder = 396,
                 kColorSpace = 400;
// In headers of URF: bytes, and the size as numbers.
constexpr size_t kUrfBits = 0, kUrfSpace = 1, kUrfWidth = 12, kUrfRows = 16;

uint32_t NumberAt(const char* bytes, size_t at) {
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) {
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return number;
}

bool IsGrayOfPwg(const char* head) {
  const uint32_t space = NumberAt(head, kColorSpace);
  return NumberAt(head, kBitsPerColor) == 8 &&
         NumberAt(head, kBitsPerPixel) == 8 &&
         NumberAt(head, kBytesPerLine) == NumberAt(head, kWidth) &&
         NumberAt(head, kColorOrder) == 0 &&         // pixel by pixel
         (space == 0 || space == 3 || space == 18);  // W, K, sGray
}

bool IsGrayOfUrf(const char* head) {
  return head[kUrfBits] == 8 && (head[kUrfSpace] == 0 || head[kUrfSpace] == 4);
}

}  // namespace

bool RasterPages::Take(std::string_view bytes) {
  while (!bytes.empty() && !is_bad_) {
    const size_t before = bytes.size();
    bool is_good = true;
    if (next_ == Next::kStart || next_ == Next::kHeader) {
      const size_t size = next_ == Next::kHeader
                              ? (is_urf_ ? kUrfHeader : kPwgHeader)
                              : (is_urf_ ? kUrfStart : kPwg.size());
      if (Gather(bytes, size)) {
        is_good = next_ == Next::kStart ? TakeStart() : TakeHeader();
      }
    } else if (next_ == Next::kPixels) {
      const size_t some = std::min<size_t>(bytes.size(), run_bytes_);
      bytes.remove_prefix(some);
      run_bytes_ -= static_cast<uint32_t>(some);
    } else {
      const auto byte = static_cast<uint8_t>(bytes.front());
      bytes.remove_prefix(1);
      is_good = next_ == Next::kRepeats ? TakeRepeats(byte) : TakeRun(byte);
    }
    taken_ += before - bytes.size();
    if (next_ == Next::kPixels && run_bytes_ == 0) EndRun();
    is_bad_ = !is_good;
  }
  return !is_bad_;
}

std::string RasterPages::Fault() const {
  return "page " + std::to_string(pages_ + 1) +
         " is damaged, incomplete or not 8-bit gray";
}

bool RasterPages::Gather(std::string_view& bytes, size_t size) {
  const size_t some = std::min(bytes.size(), size - gathered_);
  std::memcpy(head_.data() + gathered_, bytes.data(), some);
  bytes.remove_prefix(some);
  gathered_ += some;
  return gathered_ == size;
}

bool RasterPages::TakeStart() {
  const std::string_view start(head_.data(), gathered_);
  if (!is_urf_ && start == kUrf.substr(0, kPwg.size())) {
    is_urf_ = true;  // and more of its start follows
    return true;
  }
  gathered_ = 0;
  next_ = Next::kHeader;
  return is_urf_ ? start.starts_with(kUrf) : start == kPwg;
}

bool RasterPages::TakeHeader() {
  const char* head = head_.data();
  gathered_ = 0;
  width_ = NumberAt(head, is_urf_ ? kUrfWidth : kWidth);
  rows_left_ = NumberAt(head, is_urf_ ? kUrfRows : kRows);
  next_ = Next::kRepeats;
  return (is_urf_ ? IsGrayOfUrf(head) : IsGrayOfPwg(head)) && width_ > 0 &&
         width_ <= kMostWidth && rows_left_ > 0 && rows_left_ <= kMostRows;
}

bool RasterPages::TakeRepeats(uint8_t byte) {
  repeats_ = byte + 1U;
  pixels_left_ = width_;
  next_ = Next::kRun;
  return repeats_ <= rows_left_;
}

bool RasterPages::TakeRun(uint8_t byte) {
  const uint32_t pixels = byte == kWhiteToEnd  ? pixels_left_
                          : byte < kWhiteToEnd ? byte + 1U
                                               : 257U - byte;
  if (pixels > pixels_left_) return false;
  pixels_left_ -= pixels;
  run_bytes_ = byte == kWhiteToEnd ? 0 : byte < kWhiteToEnd ? 1 : pixels;
  next_ = Next::kPixels;
  return true;
}

void RasterPages::EndRun() {
  next_ = Next::kRun;
  if (pixels_left_ > 0) return;
  next_ = Next::kRepeats;
  rows_left_ -= repeats_;
  if (rows_left_ > 0) return;
  next_ = Next::kHeader;
  ++pages_;
  complete_ = taken_;
}

}  // namespace halftoned
