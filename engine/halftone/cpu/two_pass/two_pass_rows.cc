// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/two_pass/two_pass_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>

#include "halftone/page/best_carry.h"

namespace halftoned {
namespace {

// Rows of `best` with more than two levels: between packed samples and bits,
// which say whether a pixel has the upper one of the two levels around its
// value. Eight pixels at a time, each in a byte of a word, the first in the
// lowest.

static_assert(std::endian::native == std::endian::little);

// Both samples of a pixel in a byte, the lower level's in the lower half.
constexpr uint64_t kHalves = 0x0f0f0f0f0f0f0f0f;

// Copies the packed samples of eight pixels, or of the last pixels of a row. A
// constant size makes it several times as fast.
template <int bits_per_sample>
void CopyPacked(void* to, const void* from, size_t bytes) {
  if (bytes >= bits_per_sample) {
    std::memcpy(to, from, bits_per_sample);
  } else {
    std::memcpy(to, from, bytes);
  }
}

template <int bits_per_sample>
uint64_t UnpackSamples(const std::byte* packed, size_t bytes) {
  uint32_t packed_word = 0;
  CopyPacked<bits_per_sample>(&packed_word, packed, bytes);
  uint64_t word = packed_word;
  if constexpr (bits_per_sample == 2) {
    word = (word | word << 24) & 0x000000ff000000ff;
  } else {
    word = (word | word << 16) & 0x0000ffff0000ffff;
    word = (word | word << 8) & 0x00ff00ff00ff00ff;
    return (word >> 4 | word << 8) & kHalves;
  }
  word = (word >> 4 | word << 16) & 0x000f000f000f000f;
  return (word >> 2 | word << 8) & 0x0303030303030303;
}

template <int bits_per_sample>
void PackSamples(uint64_t word, std::byte* packed, size_t bytes) {
  if constexpr (bits_per_sample == 2) {
    word = (word << 2 | word >> 8) & 0x000f000f000f000f;
    word = (word << 4 | word >> 16) & 0x000000ff000000ff;
    word |= word >> 24;
  } else {
    word = (word << 4 | word >> 8) & 0x00ff00ff00ff00ff;
    word = (word | word >> 8) & 0x0000ffff0000ffff;
    word |= word >> 16;
  }
  CopyPacked<bits_per_sample>(packed, &word, bytes);
}

// `both` can be read, and is 0, up to 7 bytes beyond the row.
template <int bits_per_sample>
void SamplesToBits(const std::byte* samples, const std::byte* both,
                   int32_t width, std::byte* bits) {
  const auto end = (static_cast<size_t>(width) * bits_per_sample + 7) / 8;
  for (size_t at = 0; at < end; at += bits_per_sample) {
    uint64_t word;
    std::memcpy(&word, both + at * 8 / bits_per_sample, sizeof(word));
    word = (word & kHalves) ^
           UnpackSamples<bits_per_sample>(samples + at, end - at);
    // 1 in a byte if the sample is not the lower level's.
    word = (word + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
    bits[at / bits_per_sample] =
        static_cast<std::byte>(word * 0x8040201008040201 >> 56);
  }
}

template <int bits_per_sample>
void BitsToSamples(const std::byte* bits, const std::byte* both, int32_t width,
                   std::byte* samples) {
  const auto end = (static_cast<size_t>(width) * bits_per_sample + 7) / 8;
  for (size_t at = 0; at < end; at += bits_per_sample) {
    uint64_t word;
    std::memcpy(&word, both + at * 8 / bits_per_sample, sizeof(word));
    // 15 in a byte if the bit is 1.
    const auto eight = std::to_integer<uint64_t>(bits[at / bits_per_sample]);
    uint64_t upper = eight * 0x0101010101010101 & 0x0102040810204080;
    upper = ((upper + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101) * 15;
    PackSamples<bits_per_sample>(
        ((word >> 4 & upper) | (word & ~upper)) & kHalves, samples + at,
        end - at);
  }
}

size_t BitBytesOf(const Page& page) {
  return (static_cast<size_t>(page.width()) + 7) / 8;
}

std::byte BothOf(const BestPixel& pixel) {
  return static_cast<std::byte>(pixel.sample[1] << 4 | pixel.sample[0]);
}

void SetBit(std::byte* row, int32_t column) {
  row[column / 8] |= static_cast<std::byte>(0x80 >> column % 8);
}

}  // namespace

Result<void> TwoPassRows::Plane::Allocate(size_t rows, size_t bytes) {
  row_bytes_ = bytes;
  pitch_ = bytes + 2 * SwapRows::kPad;
  bytes_.reset(new (std::nothrow) std::byte[rows * pitch_]);
  if (bytes_) return {};
  return Unavailable("out of memory: the window of a page takes " +
                     std::to_string(rows * pitch_) + " bytes");
}

void TwoPassRows::Plane::Clear(size_t place) const {
  std::memset(At(place) - SwapRows::kPad, 0, pitch_);
}

void TwoPassRows::Plane::Copy(const Plane& from, size_t place) const {
  std::memcpy(At(place) - SwapRows::kPad, from.At(place) - SwapRows::kPad,
              pitch_);
}

TwoPassRows::TwoPassRows(const Page& page, const Recipe& recipe, int32_t rows)
    : levels_(recipe.levels()),
      width_(page.width()),
      depth_(page.depth()),
      rows_(rows),
      bit_bytes_(BitBytesOf(page)),
      sample_bytes_(recipe.bit_bytes_per_row(page.width())),
      curve_(recipe.curve()),
      is_pure_(recipe.is_pure()),
      paper_(PaperTable::For(recipe)) {
  for (size_t a = 0; a < tone_of_.size(); ++a) {
    const int v = curve_.At8(static_cast<uint8_t>(a));
    const BestPixel pixel = BestPixelOf(v, levels_);
    tone_of_[a] = pixel.tone;
    both_of_[a] = BothOf(pixel);
    is_gray_[a] = IsGray(v);
  }
}

Result<std::unique_ptr<TwoPassRows>> TwoPassRows::Make(const Page& page,
                                                       const Recipe& recipe,
                                                       int32_t rows) {
  std::unique_ptr<TwoPassRows> made(new TwoPassRows(page, recipe, rows));
  const auto places = static_cast<size_t>(rows) + 1;
  HALFTONED_TRY(
      made->tones_.Allocate(places, static_cast<size_t>(page.width())));
  if (made->has_levels()) {
    HALFTONED_TRY(
        made->both_.Allocate(places, static_cast<size_t>(page.width())));
  }
  for (Plane* plane :
       {&made->gray_, &made->first_, &made->swept_, &made->second_}) {
    HALFTONED_TRY(plane->Allocate(places, made->bit_bytes_));
  }
  for (const Plane* plane : {&made->tones_, &made->gray_, &made->first_,
                             &made->swept_, &made->second_}) {
    plane->Clear(places - 1);
  }
  return made;
}

size_t TwoPassRows::BytesOf(const Page& page, const Recipe& recipe,
                            int32_t rows) {
  constexpr size_t kBitPlanes = 4;
  const size_t byte_planes = recipe.levels().count > 2 ? 2 : 1;
  return (static_cast<size_t>(rows) + 1) *
         (byte_planes * static_cast<size_t>(page.width()) +
          kBitPlanes * BitBytesOf(page) +
          (byte_planes + kBitPlanes) * 2 * SwapRows::kPad);
}

void TwoPassRows::Begin(const Carry& above, bool is_at_start) {
  top_row_ = above.next_row();
  if (is_at_start) return;
  const int64_t below = above.next_row();
  top_row_ = below - kBestRowsAbove;
  for (int i = -kBestRowsAbove; i < kBestRowsBelow; ++i) {
    const size_t place = Place(below + i);
    for (const Plane* plane : {&tones_, &gray_, &first_, &swept_, &second_}) {
      plane->Clear(place);
    }
    const int shift = kBestRowsBelow - 1 - i;
    const auto up = static_cast<size_t>(i + kBestRowsAbove);
    for (int32_t j = 0; j < width_; ++j) {
      const auto column = static_cast<size_t>(j);
      const auto first =
          static_cast<unsigned>(above.plane(kBestFirstBits)[column]);
      const auto swept =
          static_cast<unsigned>(above.plane(kBestSweptBits)[column]);
      if (swept >> shift & 1) SetBit(second_.At(place), j);
      if (i >= -kBestRowsBelow && (first >> shift & 1) != 0) {
        SetBit(first_.At(place), j);
        SetBit(swept_.At(place), j);
      }
      if (i >= 0) continue;
      const auto tones =
          static_cast<unsigned>(above.plane(kBestTones + up / 2)[column]);
      tones_.At(place)[j] = static_cast<std::byte>(tones >> (up % 2 ? 8 : 0));
    }
  }
}

void TwoPassRows::Read(int64_t row, const std::byte* samples) {
  const size_t place = Place(row);
  tones_.Clear(place);
  gray_.Clear(place);
  if (has_levels()) both_.Clear(place);
  if (depth_ == Depth::k16) return ReadWords(row, samples);
  auto* const tones = reinterpret_cast<uint8_t*>(tones_.At(place));
  std::byte* const gray = gray_.At(place);
  for (int32_t j = 0; j < width_; ++j) {
    tones[j] = tone_of_[std::to_integer<uint8_t>(samples[j])];
  }
  for (int32_t j = 0; has_levels() && j < width_; ++j) {
    both_.At(place)[j] = both_of_[std::to_integer<uint8_t>(samples[j])];
  }
  for (int32_t j = 0; j < width_; j += 8) {
    unsigned bits = 0;
    const int32_t end = std::min(j + 8, width_);
    for (int32_t k = j; k < end; ++k) {
      bits |= unsigned{is_gray_[std::to_integer<uint8_t>(samples[k])]}
              << (7 - (k - j));
    }
    gray[j / 8] = static_cast<std::byte>(bits);
  }
}

void TwoPassRows::ReadWords(int64_t row, const std::byte* samples) {
  std::byte* const tones = tones_.At(Place(row));
  std::byte* const gray = gray_.At(Place(row));
  for (int32_t j = 0; j < width_; ++j) {
    uint16_t a;
    std::memcpy(&a, samples + 2 * static_cast<size_t>(j), sizeof(a));
    const int v = curve_.At16(a);
    const BestPixel pixel = BestPixelOf(v, levels_);
    tones[j] = static_cast<std::byte>(pixel.tone);
    if (has_levels()) {
      both_.At(Place(row))[j] = BothOf(pixel);
    }
    if (IsGray(v)) SetBit(gray, j);
  }
}

BitRoom TwoPassRows::BeginFirstPass(int64_t row, int32_t rows) {
  for (int32_t i = 0; i < rows; ++i) first_.Clear(Place(row + i));
  if (!has_levels()) {
    return {first_.At(Place(row)), bit_bytes_ + 2 * SwapRows::kPad, rows};
  }
  made_.resize(static_cast<size_t>(rows) * sample_bytes_);
  return {made_.data(), sample_bytes_, rows};
}

void TwoPassRows::EndFirstPass(int64_t row, const BitRoom& made) {
  for (int32_t i = 0; i < made.rows; ++i) {
    const size_t place = Place(row + i);
    std::byte* const bits = first_.At(place);
    if (levels_.bits_per_sample == 2) {
      SamplesToBits<2>(made.row(i), both_.At(place), width_, bits);
    } else if (levels_.bits_per_sample == 4) {
      SamplesToBits<4>(made.row(i), both_.At(place), width_, bits);
    }
    swept_.Copy(first_, place);
  }
}

void TwoPassRows::CopySamples(int64_t row, std::byte* to) const {
  const size_t place = Place(row);
  const std::byte* const bits = second_.At(place);
  if (levels_.bits_per_sample == 2) {
    BitsToSamples<2>(bits, both_.At(place), width_, to);
  } else if (levels_.bits_per_sample == 4) {
    BitsToSamples<4>(bits, both_.At(place), width_, to);
  } else {
    std::memcpy(to, bits, bit_bytes_);
  }
}

void TwoPassRows::EndFirstSweep(int64_t row) {
  second_.Copy(swept_, Place(row));
}

SwapRows TwoPassRows::BlocksAt(int64_t first, int sweep) const {
  const Plane& bits = sweep == 0 ? swept_ : second_;
  SwapRows rows{
      .width = width_, .shift = sweep == 0 ? kBestShift : 0, .sweep = sweep};
  for (int i = 0; i < SwapRows::kRows; ++i) {
    const auto at = static_cast<size_t>(i);
    const size_t place = PlaceOrNone(first - kBestReach + i);
    rows.tones[at] = reinterpret_cast<const uint8_t*>(tones_.At(place));
    rows.bits[at] = bits.At(place);
    if (i >= kBestReach && i < kBestReach + kBestBlock) {
      rows.gray[at - kBestReach] = gray_.At(place);
    }
  }
  rows.paper = paper_ ? &*paper_ : nullptr;
  return rows;
}

void TwoPassRows::Save(int64_t row, Carry& carry) const {
  carry.set_next_row(row);
  std::array<const std::byte*, kBestRowsAbove + kBestRowsBelow> tones;
  std::array<const std::byte*, kBestRowsAbove + kBestRowsBelow> first;
  std::array<const std::byte*, kBestRowsAbove + kBestRowsBelow> swept;
  for (size_t i = 0; i < tones.size(); ++i) {
    const int64_t from = row - kBestRowsAbove + static_cast<int64_t>(i);
    const size_t place =
        from < top_row_ ? static_cast<size_t>(rows_) : Place(from);
    tones[i] = tones_.At(place);
    first[i] = first_.At(place);
    swept[i] = swept_.At(place);
  }
  for (int32_t j = 0; j < width_; ++j) {
    int first_bits = 0;
    int swept_bits = 0;
    for (size_t i = 0; i < swept.size(); ++i) {
      swept_bits = 2 * swept_bits + BitAt(swept[i], j);
      if (i >= kBestRowsAbove - kBestRowsBelow) {
        first_bits = 2 * first_bits + BitAt(first[i], j);
      }
    }
    const auto column = static_cast<size_t>(j);
    carry.plane(kBestFirstBits)[column] = static_cast<int16_t>(first_bits);
    carry.plane(kBestSweptBits)[column] = static_cast<int16_t>(swept_bits);
    for (size_t i = 0; i < kBestRowsAbove; i += 2) {
      carry.plane(kBestTones + i / 2)[column] =
          static_cast<int16_t>(std::to_integer<int>(tones[i][j]) |
                               std::to_integer<int>(tones[i + 1][j]) << 8);
    }
  }
}

}  // namespace halftoned
