// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wave's part in the line: what its first row reads, and what its last row
// leaves to the strip below, or to the carry.

#include <algorithm>

#include "halftone/cpu/simd/wave.h"
#include "halftone/cpu/simd/wave_beside.h"

namespace halftoned::simd {
namespace {

// A core reads the line up to one vector past the block's last column, and the
// next block's part is prefetched, usually from another core if threads share
// the page.
constexpr int32_t kLineAhead = 2 * kBlock + 1 + 32;

// Cores are not instrumented. ThreadSanitizer sees the hand-off between threads
// because this code copies it to and from them.
#if defined(__SANITIZE_THREAD__)
constexpr bool kCopyLine = true;
#else
constexpr bool kCopyLine = false;
#endif

}  // namespace

// The line above the strip's first row, from the column at `first` on.
const uint16_t* Wave::Above(Position first, size_t plane) const {
  const uint16_t* const line = LineFrom(plane);
  // Rows that do not exist are not read: another strip may be writing there.
  const bool is_row = first.strip < strips_;
  const bool next_is_row = first.strip + 1 < strips_;
  if (is_row && first.column + kBlock <= period_ && !kCopyLine) {
    const uint16_t* const above = line + std::min(first.column, width_) + 1;
    for (int i = kBlock; i < kLineAhead; i += 32) {
      __builtin_prefetch(above + i);
    }
    return above;
  }
  // The rest of the block in this row, then its part in the next.
  uint16_t* const above = beside_->above[plane] + 1;
  const int left = std::min(period_ - first.column, kBlock);
  std::ranges::fill(beside_->above[plane], planes_[plane].outside);
  if (next_is_row) std::copy_n(line + 1, kBlock - left, above + left);
  if (is_row && first.column < width_) {
    std::copy_n(line + first.column + 1,
                std::min(width_ - first.column, kBlock), above);
  }
  return above;
}

// Where the strip's last row writes its line, from the column at `last` on.
uint16_t* Wave::Below(Position last, size_t plane) const {
  if (kCopyLine || last.strip < 0 || last.strip >= strips_ ||
      last.column + kBlock > width_) {
    return beside_->below[plane];
  }
  uint16_t* const below =
      LineFrom(plane) + last.column + 1 - planes_[plane].lead;
  for (int i = kBlock; i < kLineAhead; i += 32) {
    __builtin_prefetch(below + i, 1);
  }
  return below;
}

void Wave::AimLine(int32_t step) {
  const Position first = At(step);
  const Position last = Behind(first, skew_ * (slots_ - 1));
  for (size_t plane = 0; plane < planes_.size(); ++plane) {
    io_.above[plane] = Above(first, plane);
    io_.below[plane] = Below(last, plane);
  }
}

// Copies the states that the steps did not write directly to the line.
void Wave::StoreLine(int32_t step, size_t plane) {
  const uint16_t* const below = beside_->below[plane];
  if (io_.below[plane] != below) return;
  const int lead = planes_[plane].lead;
  uint16_t* const line = LineFrom(plane) + 1 - lead;
  Position at = Behind(At(step), skew_ * (slots_ - 1));
  for (int i = 0; i < kBlock; at = {at.strip + 1, 0}) {
    const int columns = std::min(kBlock - i, period_ - at.column);
    // A lane continues past its last row, but not for the strip below.
    if (at.strip >= 0 && at.strip < strips_ && at.column < width_ + lead) {
      std::copy_n(below + i, std::min(columns, width_ + lead - at.column),
                  line + at.column);
    }
    i += columns;
  }
}

// Copies the states of the last row, which are the carry of the band.
void Wave::StoreStates(int32_t step, size_t plane) {
  const LinePlane& of = planes_[plane];
  const int32_t strip = strips_ - 1;
  const int row = (job_.gray.rows - 1) % slots_;
  const int32_t decided = step - strip * period_ - skew_ * row;
  const int32_t column = decided - of.state_lag;
  int16_t* const to =
      job_.below->plane(plane).data() + job_.first_column + column;
  const uint16_t* from = beside_->states[plane] + SlotOfRow(row);
  int stride = slots_;
  if (!io_.states[plane]) {
    if (At(step).strip != strip) return;
    if (of.derive) return of.derive(io_.below[plane], to);
    from = plane == 0 ? io_.below[0] : io_.lowest;
    stride = 1;
  }
  const int32_t end = std::min(kBlock, width_ - column);
  for (int32_t i = std::max(0, -column); i < end; ++i) {
    const int state = static_cast<int16_t>(from[i * stride]) - of.offset;
    to[i] = static_cast<int16_t>(state / of.scale);
  }
}

void Wave::FinishLine(int32_t step) {
  for (size_t plane = 0; plane < planes_.size(); ++plane) {
    StoreLine(step, plane);
    if (job_.below) StoreStates(step, plane);
  }
}

void Wave::WaitForLine(int32_t step) {
  if (!job_.above || step > width_) return;
  job_.above->WaitFor(job_.first_column +
                      std::min(step + kLineAhead, width_ + lead_));
}

void Wave::PublishLine(int32_t step) {
  if (!job_.own) return;
  const int32_t columns = step + kBlock - skew_ * (slots_ - 1);
  if (columns > 0) {
    job_.own->Publish(job_.first_column + std::min(columns, width_ + lead_));
  }
}

}  // namespace halftoned::simd
