// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/gray_row.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "halftone/look/gray/luma_row.h"
#include "print/image/samples.h"

namespace halftoned {
namespace {

// Position of the first pixel's samples, and distance to the next.
template <typename Sample>
struct Channels {
  std::array<const Sample*, 4> color;
  const Sample* alpha;
  size_t step;
};

template <typename Sample>
constexpr uint32_t kFull = std::is_same_v<Sample, uint8_t> ? 255 : 65535;

// a · b, where full scale is 1.
template <typename Sample>
uint32_t Times(uint32_t a, uint32_t b) {
  return (a * b + kFull<Sample> / 2) / kFull<Sample>;
}

template <typename Sample, Alpha kind>
uint32_t OverWhite(uint32_t light, uint32_t alpha) {
  constexpr uint32_t full = kFull<Sample>;
  if constexpr (kind == Alpha::kStraight) {
    return Times<Sample>(light, alpha) + (full - alpha);
  }
  return std::min(light + (full - alpha), full);
}

template <Alpha kind, bool high_is_dark, typename Sample>
void CombineGray(const Channels<Sample>& in, size_t width, Sample* gray) {
  size_t at = 0;
  for (size_t i = 0; i < width; ++i, at += in.step) {
    const uint32_t sample = in.color[0][at];
    const uint32_t light = high_is_dark ? kFull<Sample> - sample : sample;
    gray[i] = static_cast<Sample>(
        kind == Alpha::kNone ? light
                             : OverWhite<Sample, kind>(light, in.alpha[at]));
  }
}

// Alpha is gathered first, so that compilers turn the second loop into vectors.
template <Alpha kind, typename Sample>
void PutOverWhite(const Sample* alpha, size_t step, size_t width,
                  Sample* gray) {
  constexpr size_t kBlock = 64;
  std::array<Sample, kBlock> block;
  for (size_t begin = 0; begin < width; begin += kBlock) {
    const size_t count = std::min(kBlock, width - begin);
    for (size_t i = 0; i < count; ++i) block[i] = alpha[step * (begin + i)];
    for (size_t i = 0; i < count; ++i) {
      Sample& light = gray[begin + i];
      light = static_cast<Sample>(OverWhite<Sample, kind>(light, block[i]));
    }
  }
}

template <Alpha kind, typename Sample>
void CombineColors(const Channels<Sample>& in, ColourModel model, size_t width,
                   Sample* gray) {
  if (in.step == 1) {
    LumaOfPlanes(model, in.color, width, gray);
  } else {
    LumaOfPixels(model, in.color[0], in.step, width, gray);
  }
  if constexpr (kind != Alpha::kNone) {
    PutOverWhite<kind>(in.alpha, in.step, width, gray);
  }
}

template <Alpha kind, typename Sample>
void CombineAs(const Channels<Sample>& in, const PixelFormat& format,
               size_t width, Sample* gray) {
  switch (format.colors) {
    case Colors::kRgb:
      return CombineColors<kind>(in, ColourModel::kRgb, width, gray);
    case Colors::kCmyk:
      return CombineColors<kind>(in, ColourModel::kCmyk, width, gray);
    case Colors::kGray:
    case Colors::kPalette:
      return format.high_is_dark ? CombineGray<kind, true>(in, width, gray)
                                 : CombineGray<kind, false>(in, width, gray);
  }
}

template <typename Sample>
void Combine(const Channels<Sample>& in, const PixelFormat& format,
             size_t width, Sample* gray) {
  switch (format.alpha) {
    case Alpha::kNone:
      return CombineAs<Alpha::kNone>(in, format, width, gray);
    case Alpha::kStraight:
      return CombineAs<Alpha::kStraight>(in, format, width, gray);
    case Alpha::kPremultiplied:
      return CombineAs<Alpha::kPremultiplied>(in, format, width, gray);
  }
}

bool IsDeep(const PixelFormat& format) {
  return format.is_float || format.max_value > 255;
}

// Premultiplied ink already is the ink on the paper, so its alpha is not
// needed.
PixelFormat WithoutUselessAlpha(PixelFormat format) {
  const bool is_ink = format.colors == Colors::kCmyk || format.high_is_dark;
  if (is_ink && format.alpha == Alpha::kPremultiplied) {
    format.alpha = Alpha::kNone;
  }
  return format;
}

}  // namespace

GrayRow::GrayRow(const PixelFormat& format, int32_t width)
    : format_(WithoutUselessAlpha(format)),
      width_(static_cast<size_t>(width)),
      depth_(format.colors != Colors::kPalette && IsDeep(format) ? Depth::k16
                                                                 : Depth::k8) {
  const bool one_sample =
      format_.samples_per_pixel == 1 && format_.alpha == Alpha::kNone;
  samples_per_row_ =
      width_ * (format_.planar ? 1 : size_t(format_.samples_per_pixel));
  bytes_per_row_ = (samples_per_row_ * size_t(format_.bits_per_sample) + 7) / 8;
  is_identity_ = format_.colors == Colors::kGray && one_sample &&
                 !format_.high_is_dark && !format_.is_float &&
                 (format_.max_value == 255 ? format_.bits_per_sample == 8
                                           : format_.max_value == 65535 &&
                                                 format_.bits_per_sample == 16);
  is_table_ = depth_ == Depth::k8 && one_sample && !is_identity_;
  for (uint32_t i = 0; i < table_.size(); ++i) {
    if (format_.colors == Colors::kPalette) {
      table_[i] = i < format_.palette.size() ? format_.palette[i] : 0;
      continue;
    }
    const uint32_t max = depth_ == Depth::k8 ? format_.max_value : 255;
    const uint32_t light = Scale(std::min(i, max), max, 255);
    table_[i] = static_cast<uint8_t>(
        is_table_ && format_.high_is_dark ? 255 - light : light);
  }
  room8_.resize(size_t(format_.planes()));
  room16_.resize(size_t(format_.planes()));
}

template <>
const uint8_t* GrayRow::Unpack(const std::byte* row,
                               std::vector<uint8_t>& room) {
  const bool as_it_is =
      format_.bits_per_sample == 8 && format_.max_value == 255;
  const bool is_palette = format_.colors == Colors::kPalette;
  if (as_it_is && !is_palette) return reinterpret_cast<const uint8_t*>(row);
  room.resize(samples_per_row_);
  if (format_.bits_per_sample == 8) {
    std::memcpy(room.data(), row, room.size());
  } else {
    UnpackBits(row, format_.bits_per_sample, room);
  }
  for (uint8_t& sample : room) sample = table_[sample];
  return room.data();
}

template <>
const uint16_t* GrayRow::Unpack(const std::byte* row,
                                std::vector<uint16_t>& room) {
  const int bits = format_.bits_per_sample;
  if (!format_.is_float && bits == 16 && format_.max_value == 65535) {
    return reinterpret_cast<const uint16_t*>(row);
  }
  room.resize(samples_per_row_);
  if (format_.is_float) {
    NarrowFloats(row, bits, room);
    return room.data();
  }
  if (bits == 32) {
    NarrowIntegers(row, room);
    return room.data();
  }
  if (bits == 16) {
    std::memcpy(room.data(), row, 2 * room.size());
  } else {
    UnpackBits(row, bits, room);
  }
  const uint32_t max = format_.max_value;
  for (uint16_t& sample : room) {
    sample = static_cast<uint16_t>(
        Scale(std::min<uint32_t>(sample, max), max, 65535));
  }
  return room.data();
}

template <typename Sample>
void GrayRow::MakeAt(std::span<const std::byte* const> planes, Sample* gray) {
  std::array<const Sample*, 16> sample{};
  const size_t used =
      std::min(size_t(format_.samples_per_pixel), sample.size());
  for (size_t i = 0; i < used; ++i) {
    if (format_.planar && !planes[i]) continue;
    if (format_.planar || i == 0) {
      if constexpr (std::is_same_v<Sample, uint8_t>) {
        sample[i] = Unpack(planes[i], room8_[i]);
      } else {
        sample[i] = Unpack(planes[i], room16_[i]);
      }
    } else {
      sample[i] = sample[0] + i;
    }
  }
  Channels<Sample> in{};
  in.step = format_.planar ? 1 : size_t(format_.samples_per_pixel);
  for (int i = 0; i < ColorSamples(format_.colors); ++i) {
    in.color[size_t(i)] = sample[size_t(i)];
  }
  in.alpha = sample[size_t(format_.alpha_sample)];
  Combine(in, format_, width_, gray);
}

void GrayRow::Make(std::span<const std::byte* const> planes, std::byte* gray) {
  if (is_identity_) {
    if (planes[0] != gray) std::memcpy(gray, planes[0], bytes_per_row_);
  } else if (is_table_) {
    auto* out = reinterpret_cast<uint8_t*>(gray);
    if (format_.bits_per_sample == 8) {
      for (size_t i = 0; i < width_; ++i) {
        out[i] = table_[std::to_integer<uint8_t>(planes[0][i])];
      }
    } else {
      const std::span room(out, width_);
      UnpackBits(planes[0], format_.bits_per_sample, room);
      for (uint8_t& sample : room) sample = table_[sample];
    }
  } else if (depth_ == Depth::k8) {
    MakeAt(planes, reinterpret_cast<uint8_t*>(gray));
  } else {
    MakeAt(planes, reinterpret_cast<uint16_t*>(gray));
  }
}

}  // namespace halftoned
