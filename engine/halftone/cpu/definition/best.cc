// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/definition/best.h"

#include <algorithm>

#include "halftone/cpu/definition/methods.h"
#include "halftone/page/fine_table.h"

namespace halftoned {

void DefineFine(const KernelJob& job);

namespace {

// Rows that blocks at the edges of the page may reach.
constexpr int kAround = 3 * kBestStep;

}  // namespace

BestPage::Rows::Rows(int64_t first_row, int64_t rows, size_t bytes)
    : first_row_(first_row - kAround),
      pitch_(bytes + 2 * SwapRows::kPad),
      bytes_(static_cast<size_t>(rows + 2 * kAround) * pitch_) {}

BestPage::BestPage(const KernelJob& job)
    : job_(job),
      levels_(job.recipe.levels()),
      width_(job.page.width()),
      first_row_(job.carry.next_row()),
      end_row_(first_row_ + job.gray.rows),
      begins_(job.carry.IsAtStart(job.recipe)),
      paper_(PaperTable::For(job.recipe)),
      lower_(first_row_, job.gray.rows, static_cast<size_t>(width_)),
      tones_(lower_),
      gray_(first_row_, job.gray.rows, static_cast<size_t>(width_ + 7) / 8),
      first_(gray_),
      swept_(gray_),
      second_(gray_) {
  ReadGray();
  if (!begins_) ReadCarry();
  FirstPass(end_row_, first_);
  Copy(first_, swept_);
  // The rows in the carry are done, so the first sweep begins below them.
  const int64_t first = first_row_ / kBestStep * kBestStep;
  Sweep(swept_, (begins_ ? first - kBestStep : first) + kBestShift, kBestShift);
  Copy(swept_, second_);
  Sweep(second_, first, 0);
}

void BestPage::Copy(const Rows& from, Rows& to) const {
  for (int64_t row = first_row_ + done(); row < end_row_; ++row) {
    std::copy_n(from.At(row), static_cast<size_t>(width_ + 7) / 8, to.At(row));
  }
}

void BestPage::ReadGray() {
  for (int32_t i = 0; i < job_.gray.rows; ++i) {
    for (int32_t j = 0; j < width_; ++j) {
      const int v = CurvedValue(job_, i, j);
      const auto [level, value] = IntervalOf(v, levels_.count);
      lower_.At(first_row_ + i)[j] = static_cast<std::byte>(level);
      tones_.At(first_row_ + i)[j] = static_cast<std::byte>(FineToneOf(value));
      PutSample(gray_.At(first_row_ + i), j, 1, !IsPure(job_.recipe, v));
    }
  }
}

void BestPage::ReadCarry() {
  for (int32_t j = 0; j < width_; ++j) {
    const auto column = static_cast<size_t>(j);
    const int first = job_.carry.plane(kBestFirstBits)[column];
    const int swept = job_.carry.plane(kBestSweptBits)[column];
    for (int i = -kBestRowsAbove; i < kBestRowsBelow; ++i) {
      const int64_t row = first_row_ + i;
      if (row >= end_row_) continue;  // a page that ends earlier than announced
      const int shift = kBestRowsBelow - 1 - i;
      PutSample(second_.At(row), j, 1, swept >> shift & 1);
      if (i >= -kBestRowsBelow) {
        PutSample(first_.At(row), j, 1, first >> shift & 1);
        PutSample(swept_.At(row), j, 1, first >> shift & 1);
      }
      if (i >= 0) continue;
      const auto above = static_cast<size_t>(i + kBestRowsAbove);
      const int tones = job_.carry.plane(kBestTones + above / 2)[column];
      tones_.At(row)[j] =
          static_cast<std::byte>(tones >> (above % 2 ? 8 : 0) & 0xff);
    }
  }
}

Carry BestPage::FirstPass(int64_t end_row, Rows& bits) const {
  const Recipe fine = job_.recipe.FirstPass();
  Carry carry = Carry::AtStart(fine, job_.page);
  for (size_t i = 0; i < fine.carry_planes().size(); ++i) {
    std::ranges::copy(job_.carry.plane(i), carry.plane(i).begin());
  }
  std::vector<std::byte> samples(fine.bit_bytes_per_row(width_));
  for (int64_t row = first_row_ + done(); row < end_row; ++row) {
    const auto i = static_cast<int32_t>(row - first_row_);
    const GrayBand gray{job_.gray.row(i), job_.gray.bytes_per_row, 1};
    carry.set_next_row(row);
    DefineFine({job_.page, fine, gray, {samples.data(), 0, 1}, carry});
    std::fill_n(bits.At(row), static_cast<size_t>(width_ + 7) / 8, std::byte{});
    for (int32_t j = 0; j < width_; ++j) {
      const int sample = SampleIn(samples.data(), j, levels_.bits_per_sample);
      PutSample(bits.At(row), j, 1, sample != SampleOf(row, j, false));
    }
  }
  return carry;
}

int BestPage::SampleOf(int64_t row, int32_t column, bool is_upper) const {
  const auto lower = std::to_integer<size_t>(lower_.At(row)[column]);
  return levels_.sample[lower + (is_upper ? 1 : 0)];
}

void BestPage::PutSamples(int64_t row, std::byte* samples) const {
  for (int32_t j = 0; j < width_; ++j) {
    PutSample(samples, j, levels_.bits_per_sample,
              SampleOf(row, j, BitAt(second_.At(row), j)));
  }
}

void BestPage::Sweep(Rows& bits, int64_t first, int32_t shift) {
  for (const int64_t row : {first, first + kBestBlock}) {
    for (int64_t i = row; i < end_row_; i += kBestStep) {
      SwapRow(bits, i, shift);
    }
  }
}

void BestPage::SwapRow(Rows& bits, int64_t first, int32_t shift) {
  SwapRows rows{
      .width = width_, .shift = shift, .sweep = shift == kBestShift ? 0 : 1};
  for (int i = 0; i < SwapRows::kRows; ++i) {
    const auto at = static_cast<size_t>(i);
    const int64_t row = first - kBestReach + i;
    rows.tones[at] = reinterpret_cast<const uint8_t*>(tones_.At(row));
    rows.bits[at] = bits.At(row);
    if (i >= kBestReach && i < kBestReach + kBestBlock) {
      rows.gray[at - kBestReach] = gray_.At(row);
    }
  }
  rows.paper = paper_ ? &*paper_ : nullptr;
  SwapByDefinition(rows);
}

Carry BestPage::CarryAt(int64_t row) const {
  Rows bits = first_;
  const Carry fine = FirstPass(row + kBestRowsBelow, bits);
  Carry carry = Carry::AtStart(job_.recipe, job_.page);
  carry.set_next_row(row);
  std::ranges::copy(fine.plane(0), carry.plane(0).begin());
  std::ranges::copy(fine.plane(1), carry.plane(1).begin());
  for (int32_t j = 0; j < width_; ++j) {
    int first = 0;
    int swept = 0;
    for (int i = -kBestRowsAbove; i < kBestRowsBelow; ++i) {
      swept = 2 * swept + BitAt(swept_.At(row + i), j);
      if (i >= -kBestRowsBelow)
        first = 2 * first + BitAt(first_.At(row + i), j);
    }
    const auto column = static_cast<size_t>(j);
    carry.plane(kBestFirstBits)[column] = static_cast<int16_t>(first);
    carry.plane(kBestSweptBits)[column] = static_cast<int16_t>(swept);
    for (int i = 0; i < kBestRowsAbove; i += 2) {
      const std::byte* const upper = tones_.At(row - kBestRowsAbove + i);
      const std::byte* const lower = tones_.At(row - kBestRowsAbove + i + 1);
      carry.plane(kBestTones + static_cast<size_t>(i / 2))[column] =
          static_cast<int16_t>(std::to_integer<int>(upper[j]) |
                               std::to_integer<int>(lower[j]) << 8);
    }
  }
  return carry;
}

void DefineBest(const KernelJob& job) {
  const BestPage page(job);
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    page.PutSamples(job.carry.next_row() + i, EmptyBits(job, i));
  }
  job.carry = Carry::AtStart(job.recipe, job.page);
}

}  // namespace halftoned
