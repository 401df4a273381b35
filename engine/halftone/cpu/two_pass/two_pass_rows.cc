// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/two_pass/two_pass_rows.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "halftone/page/fine_table.h"

namespace halftoned {
namespace {

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
    : width_(page.width()),
      depth_(page.depth()),
      rows_(rows),
      bit_bytes_(recipe.bit_bytes_per_row(page.width())),
      curve_(recipe.curve()),
      is_pure_(recipe.is_pure()),
      paper_(PaperTable::For(recipe)) {
  for (size_t a = 0; a < tone_of_.size(); ++a) {
    const int v = curve_.At8(static_cast<uint8_t>(a));
    tone_of_[a] = static_cast<uint8_t>(FineToneOf(v));
    is_gray_[a] = !is_pure_ || (v != 0 && v != kWhite);
  }
}

Result<std::unique_ptr<TwoPassRows>> TwoPassRows::Make(const Page& page,
                                                       const Recipe& recipe,
                                                       int32_t rows) {
  std::unique_ptr<TwoPassRows> made(new TwoPassRows(page, recipe, rows));
  const auto places = static_cast<size_t>(rows) + 1;
  HALFTONED_TRY(
      made->tones_.Allocate(places, static_cast<size_t>(page.width())));
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
  const size_t bits = recipe.bit_bytes_per_row(page.width());
  return (static_cast<size_t>(rows) + 1) *
         (static_cast<size_t>(page.width()) + kBitPlanes * bits +
          (kBitPlanes + 1) * 2 * SwapRows::kPad);
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
  if (depth_ == Depth::k16) return ReadWords(row, samples);
  auto* const tones = reinterpret_cast<uint8_t*>(tones_.At(place));
  std::byte* const gray = gray_.At(place);
  for (int32_t j = 0; j < width_; ++j) {
    tones[j] = tone_of_[std::to_integer<uint8_t>(samples[j])];
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
    tones[j] = static_cast<std::byte>(FineToneOf(v));
    if (!is_pure_ || (v != 0 && v != kWhite)) SetBit(gray, j);
  }
}

void TwoPassRows::BeginFirstPass(int64_t row) { first_.Clear(Place(row)); }

void TwoPassRows::EndFirstPass(int64_t row) { swept_.Copy(first_, Place(row)); }

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
