// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of `best` in a window of rows, by the definition.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "halftone/cpu/swap.h"
#include "halftone/gpu/host/session/pixel_table.h"
#include "halftone/page/fine_table.h"
#include "tests/halftone/gpu/fake/fake_kernel.h"

namespace halftoned::testing {
namespace {

using cuda::SwapJob;

std::byte* RowOf(std::byte* plane, const SwapJob& job, int64_t row,
                 uint32_t pitch) {
  return plane + static_cast<size_t>(job.window.Place(row)) * pitch;
}

void SetBit(std::byte* row, int32_t column, bool bit) {
  const auto mask = static_cast<std::byte>(0x80 >> column % 8);
  row[column / 8] = bit ? row[column / 8] | mask : row[column / 8] & ~mask;
}

void ReadRow(const SwapJob& job, int32_t i, const Recipe& fine) {
  const int64_t row = job.first_row + i;
  const cuda::SwapWindow& window = job.window;
  std::byte* tones = RowOf(window.tones, job, row, window.tone_pitch);
  std::byte* gray = RowOf(window.gray, job, row, window.bit_pitch);
  std::memset(tones, 0, window.tone_pitch);
  std::memset(gray, 0, window.bit_pitch);
  const std::byte* from = job.gray + static_cast<size_t>(i) * job.gray_pitch;
  for (int32_t j = 0; j < job.width; ++j) {
    size_t entry = std::to_integer<size_t>(from[j]);
    if (job.deep) {
      uint16_t sample;
      std::memcpy(&sample, from + 2 * static_cast<size_t>(j), sizeof(sample));
      entry = static_cast<size_t>((sample * kWhite + 32768) >> 16);
    }
    const int v = cuda::PixelValue(fine, job.tone[entry]);
    tones[j] = static_cast<std::byte>(FineToneOf(v));
    SetBit(gray, j, !job.pure || (v != 0 && v != kWhite));
  }
  if (row < job.first_bits_row) return;
  std::memcpy(RowOf(window.bits[0], job, row, window.bit_pitch),
              job.bits + static_cast<size_t>(i) * job.bit_pitch,
              static_cast<size_t>(job.width + 7) / 8);
}

// Rows of one kind, with room on both sides, that are 0 beyond the page.
class RoomyRows {
 public:
  RoomyRows(int rows, size_t bytes)
      : pitch_(bytes + 2 * SwapRows::kPad),
        bytes_(static_cast<size_t>(rows) * pitch_) {}
  std::byte* At(int row) {
    return bytes_.data() + static_cast<size_t>(row) * pitch_ + SwapRows::kPad;
  }

 private:
  size_t pitch_;
  std::vector<std::byte> bytes_;
};

void SwapBlocks(const SwapJob& job, int stage, int64_t first_row,
                const PaperTable* paper) {
  const cuda::SwapWindow& window = job.window;
  const auto width = static_cast<size_t>(job.width);
  const size_t bit_bytes = (width + 7) / 8;
  std::byte* before = window.bits[stage / 2];
  std::byte* after = window.bits[stage / 2 + 1];
  RoomyRows tones(SwapRows::kRows, width);
  RoomyRows bits(SwapRows::kRows, bit_bytes);
  RoomyRows gray(kBestBlock, bit_bytes);
  SwapRows rows{.width = job.width,
                .shift = job.stages[stage].shift,
                .sweep = stage / 2,
                .paper = paper};
  for (int i = 0; i < SwapRows::kRows; ++i) {
    const auto at = static_cast<size_t>(i);
    const int64_t row = first_row - kBestReach + i;
    const int own = i - kBestReach;
    const bool is_own = own >= 0 && own < kBestBlock;
    rows.tones[at] = reinterpret_cast<const uint8_t*>(tones.At(i));
    rows.bits[at] = bits.At(i);
    if (is_own) rows.gray[static_cast<size_t>(own)] = gray.At(own);
    if (row < job.top_row || row >= job.end_row) continue;
    std::memcpy(tones.At(i), RowOf(window.tones, job, row, window.tone_pitch),
                width);
    std::byte* plane = is_own || stage % 2 == 0 ? before : after;
    std::memcpy(bits.At(i), RowOf(plane, job, row, window.bit_pitch),
                bit_bytes);
    if (!is_own) continue;
    std::memcpy(gray.At(own), RowOf(window.gray, job, row, window.bit_pitch),
                bit_bytes);
  }
  SwapByDefinition(rows);
  for (int i = 0; i < kBestBlock; ++i) {
    const int64_t row = first_row + i;
    if (row < job.top_row || row >= job.end_row) continue;
    std::memcpy(RowOf(after, job, row, window.bit_pitch),
                bits.At(kBestReach + i), bit_bytes);
  }
}

void SaveColumn(const SwapJob& job, int32_t j) {
  unsigned first = 0;
  unsigned swept = 0;
  std::array<unsigned, kBestRowsAbove / 2> tones{};
  for (int i = -kBestRowsAbove; i < kBestRowsBelow; ++i) {
    const int64_t row = job.carry_row + i;
    first = 2 * first & 0xFF;
    swept *= 2;
    if (row < job.top_row) continue;
    const auto bit = [&](size_t plane) {
      return BitAt(
          RowOf(job.window.bits[plane], job, row, job.window.bit_pitch), j);
    };
    swept |= bit(1);
    if (i >= -kBestRowsBelow) first |= bit(0);
    if (i >= 0) continue;
    const auto up = static_cast<unsigned>(i + kBestRowsAbove);
    tones[up / 2] |= std::to_integer<unsigned>(RowOf(job.window.tones, job, row,
                                                     job.window.tone_pitch)[j])
                     << up % 2 * 8;
  }
  const auto put = [&](size_t plane, unsigned value) {
    job.carry[(plane - kBestFirstBits) * static_cast<size_t>(job.width) +
              static_cast<size_t>(j)] = static_cast<int16_t>(value);
  };
  put(kBestFirstBits, first);
  put(kBestSweptBits, swept);
  for (size_t i = 0; i < tones.size(); ++i) put(kBestTones + i, tones[i]);
}

}  // namespace

void RunFakeSwaps(const SwapJob& job) {
  Recipe::Parts parts = Recipe::PartsOf(Algorithm::kFine);
  parts.parameters[Recipe::kFeedback] = job.feedback;
  const Recipe fine = *Recipe::Make(parts);
  const PaperTable table = PaperTable::Of(job.feedback);
  const PaperTable* const paper = job.feedback > 0 ? &table : nullptr;
  for (int32_t i = 0; i < job.rows; ++i) ReadRow(job, i, fine);
  for (int stage = 0; stage < cuda::kSweepStages; ++stage) {
    for (int32_t i = 0; i < job.stages[stage].count; ++i) {
      SwapBlocks(job, stage,
                 job.stages[stage].first_row + int64_t{i} * kBestStep, paper);
    }
  }
  for (int32_t j = 0; job.carry && j < job.width; ++j) SaveColumn(job, j);
}

}  // namespace halftoned::testing
