// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/simd/wave.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "halftone/cpu/simd/wave_beside.h"
#include "halftone/page/print_feedback.h"

namespace halftoned::simd {
namespace {

// How far ahead of the wave its rows are prefetched. A seam is filled at its
// beginning from rows that are one seam ahead.
constexpr int32_t kAheadColumns = 448;
constexpr int32_t kAheadBitColumns = 1024;

constexpr int32_t RoundUp(int32_t n, int32_t to) {
  return (n + to - 1) / to * to;
}

// Whether rows at this pitch share so few sets of a first-level cache of 64
// sets that they evict each other.
bool Clash(size_t bytes_per_row) { return (bytes_per_row + 16) % 512 < 32; }

constexpr std::align_val_t kAlignment{64};

// Columns before the first one whose state reaches the line: it is that of the
// outside.
constexpr int kQuietColumns = 3;

}  // namespace

Wave::Wave(const WaveJob& job)
    : job_(job),
      core_(*job.core),
      lanes_(job.target->lanes),
      vectors_(job.target->vectors),
      lane_skew_(core_.lane_skew),
      skew_(lane_skew_ / vectors_),
      slots_(vectors_ * lanes_),
      width_(job.columns > 0 ? job.columns : job.page.width()),
      pixel_bytes_(static_cast<int>(BytesPerSample(job.page.depth()))),
      sample_bits_(job.recipe->levels().bits_per_sample),
      kept_(job.recipe->has_runs() ? job.recipe->parameter(Recipe::kKept) : 0),
      rows_clash_(Clash(job.bits.bytes_per_row)),
      planes_(job.line->planes()),
      strips_((job.gray.rows + slots_ - 1) / slots_),
      beside_(new Beside),
      state_(::operator new(core_.state_bytes, kAlignment)) {
  for (const LinePlane& plane : planes_) lead_ = std::max(lead_, plane.lead);
  // Between rows, there are as many columns as a row looks ahead, and as hand
  // on to the row below; their errors are made 0. A strip's last row is a block
  // ahead of the next strip's first.
  period_ =
      std::max(RoundUp(width_ + std::max(lead_, kQuietColumns), lane_skew_),
               skew_ * slots_ + kBlock);
  const int32_t row_bits = width_ * sample_bits_;
  row_bytes_ = (row_bits + 7) / 8;
  last_byte_mask_ =
      static_cast<uint8_t>(row_bits % 8 ? 0xff00 >> row_bits % 8 : 0xff);
  sink_.resize(static_cast<size_t>(row_bytes_ + kBlock / 8 * sample_bits_));
  for (int row = 0; row < slots_; ++row) {
    const int slot = SlotOfRow(row);
    row_of_slot_[slot] = static_cast<uint8_t>(row);
    beside_->seam_gray[slot] = beside_->gray[slot] + LeadBytes(row);
    beside_->bits_run[slot] = RunOf(slot);
  }
  io_.outside = beside_->outside;
  io_.begins = beside_->begins;
  io_.ends = beside_->ends;
  io_.noise = beside_->noise;
  io_.lowest = beside_->lowest;
  io_.curve = job.curve;
  core_.begin(state_.get(), {job.page.depth(), job.curve != nullptr, job.recipe,
                             job.records});
}

Wave::~Wave() = default;

void Wave::DeleteState::operator()(void* state) const {
  ::operator delete(state, kAlignment);
}

// Whether all rows are amid their pixels in the steps from `step` on.
bool Wave::IsInside(int32_t step, int32_t steps) const {
  if (step < 0) return false;
  const Position first = At(step);
  return first.column >= skew_ * (slots_ - 1) && first.column + steps <= width_;
}

// Sets pointers to the rows of `strip`, as if every row began at step 0. Rows
// below the last one read its pixels and write to the sink. Bits may still be
// those of the strip before.
void Wave::PointGray(int32_t strip) {
  if (strip == gray_strip_) return;
  gray_strip_ = strip;
  for (int slot = 0; slot < slots_; ++slot) {
    const int r = row_of_slot_[slot];
    const int32_t row = std::min(RowOfBand(strip, r), job_.gray.rows - 1);
    beside_->strip_gray[slot] =
        Pixel(row, 0) - skew_ * r * pixel_bytes_ + LeadBytes(r);
  }
}

void Wave::PointBits(int32_t strip) {
  if (strip == bits_strip_) return;
  bits_strip_ = strip;
  for (int slot = 0; slot < slots_; ++slot) {
    const int r = row_of_slot_[slot];
    const int32_t row = RowOfBand(strip, r);
    beside_->strip_bits[slot] = (IsRow(row) ? Byte(row, 0) : sink_.data()) -
                                lane_skew_ / 8 * sample_bits_ * (r / vectors_);
  }
}

// Sets the pointers to the pixels of the 64 steps from `step` on.
void Wave::AimGray(int32_t step) {
  if (IsInside(step, kBlock + kChunk)) {
    const Position first = At(step);
    PointGray(first.strip);
    io_.gray = beside_->strip_gray;
    io_.gray_offset = static_cast<size_t>(first.column * pixel_bytes_);
    return;
  }
  if (step >= gray_seam_end_) FillGraySeam(step);
  io_.gray = beside_->seam_gray;
  io_.gray_offset = static_cast<size_t>((step - gray_seam_) * pixel_bytes_);
}

void Wave::FillGraySeam(int32_t step) {
  gray_seam_ = step;
  int32_t steps = kBlock;
  while (steps < kSeam && !IsInside(step + steps, kBlock + kChunk)) {
    steps += kBlock;
  }
  gray_seam_end_ = step + steps;
  steps += kChunk;
  const Position first = At(step);
  for (int r = 0; r < slots_; ++r) {
    Position at = Behind(first, skew_ * r);
    uint8_t* const to = beside_->gray[SlotOfRow(r)];
    for (int32_t i = 0; i < steps; at = {at.strip + 1, 0}) {
      const int32_t row = RowOfBand(at.strip, r);
      const int32_t end = std::min(steps, i + period_ - at.column);
      if (IsRow(row) && at.column < width_) {
        const int32_t columns = std::min(end - i, width_ - at.column);
        std::memcpy(to + i * pixel_bytes_, Pixel(row, at.column),
                    static_cast<size_t>(columns * pixel_bytes_));
        i += columns;
      }
      // These are not pixels, so any value would do, but memory checkers
      // require one.
      std::memset(to + i * pixel_bytes_, 0,
                  static_cast<size_t>((end - i) * pixel_bytes_));
      i = end;
    }
  }
}

uint8_t* Wave::RunOf(int slot) const {
  return beside_->bits + slot * kRun / 8 * sample_bits_;
}

// Sets the pointers for the bits of the window that begins at `step`.
void Wave::AimBits(int32_t step) {
  if (!rows_clash_ && IsInside(step)) {
    EmptyRuns();
    const Position first = At(step);
    PointBits(first.strip);
    io_.bits = beside_->strip_bits;
    io_.bits_offset = static_cast<size_t>(first.column / 8 * sample_bits_);
    return;
  }
  if (run_steps_ == kRun) EmptyRuns();
  if (run_steps_ == 0) run_step_ = step;
  io_.bits = beside_->bits_run;
  io_.bits_offset = static_cast<size_t>(run_steps_ / 8 * sample_bits_);
  run_steps_ += kBlock;
}

// Copies the collected runs of bits to the rows.
void Wave::EmptyRuns() {
  if (run_steps_ == 0) return;
  const Position first = At(run_step_);
  if (sample_bits_ == 1 && run_steps_ == kRun &&
      first.column >= lane_skew_ * lanes_ && first.column + kRun <= width_ &&
      IsRow(RowOfBand(first.strip, slots_ - 1))) {
    EmptyWholeRuns(first);
  } else {
    for (int r = 0; r < slots_; ++r) EmptyRun(first, r);
  }
  run_steps_ = 0;
}

// The case in which every row has one whole run.
void Wave::EmptyWholeRuns(Position first) {
  uint8_t* to = Byte(RowOfBand(first.strip, 0), first.column);
  for (int k = 0; k < lanes_; ++k) {
    const uint8_t* from = beside_->bits + (lanes_ - 1 - k) * kRun / 8;
    for (int v = 0; v < vectors_; ++v) {
      std::memcpy(to, from, kRun / 8);
      from += lanes_ * kRun / 8;
      to += job_.bits.bytes_per_row;
    }
    to -= lane_skew_ / 8;
  }
}

void Wave::EmptyRun(Position first, int r) {
  Position at = Behind(first, lane_skew_ * (r / vectors_));
  const uint8_t* const from = RunOf(SlotOfRow(r));
  for (int32_t i = 0; i < run_steps_; at = {at.strip + 1, 0}) {
    const int32_t columns = std::min(run_steps_ - i, period_ - at.column);
    CopyBits(RowOfBand(at.strip, r), at.column, from + i / 8 * sample_bits_,
             columns / 8 * sample_bits_);
    i += columns;
  }
}

// Copies `bytes` to `row` at `column`, as far as the row goes.
void Wave::CopyBits(int32_t row, int32_t column, const uint8_t* from,
                    int bytes) {
  const int begin = column / 8 * sample_bits_;
  if (!IsRow(row) || begin >= row_bytes_) return;
  uint8_t* to = Byte(row, 0);
  bytes = std::min(bytes, row_bytes_ - begin);
  std::memcpy(to + begin, from, static_cast<size_t>(bytes));
  if (begin + bytes == row_bytes_) to[row_bytes_ - 1] &= last_byte_mask_;
}

// Chooses the runs to prefetch during the block from `step` on, so that the
// second-level prefetcher sees runs of one row.
void Wave::AimAhead(int32_t step, int turn) {
  const Position first = At(step);
  const int rows = slots_ / kTurns;
  const int r = turn * rows;
  if (first.column + kAheadBitColumns >= width_ ||
      first.column < skew_ * slots_ ||
      !IsRow(RowOfBand(first.strip, r + rows - 1))) {
    return AimAheadOfEdge(step, turn);
  }
  const int32_t row = RowOfBand(first.strip, r);
  const uint8_t* gray = Pixel(row, first.column + kAheadColumns - skew_ * r);
  uint8_t* bits = Byte(row, first.column + kAheadBitColumns - skew_ * r);
  for (int k = 0; k < rows; ++k) {
    io_.gray_ahead[k] = gray;
    io_.bits_ahead[k] = bits;
    gray += job_.gray.bytes_per_row;
    bits += job_.bits.bytes_per_row;
  }
}

// The same where rows end: a row is followed by the row one strip below, and in
// the last strip by that of the next job.
void Wave::AimAheadOfEdge(int32_t step, int turn) {
  const auto ahead_of = [this](Position first, int r) {
    Position at = Behind(first, skew_ * r);
    if (at.column >= width_) at = {at.strip + 1, 0};
    return at;
  };
  const auto row_of = [this](Position at, int r) {
    return std::clamp(RowOfBand(at.strip, r), 0, job_.gray.rows - 1);
  };
  const Position gray_first = At(step + kAheadColumns);
  const Position bits_first = At(step + kAheadBitColumns);
  const int rows = slots_ / kTurns;
  for (int k = 0; k < rows; ++k) {
    const int r = turn * rows + k;
    const Position gray = ahead_of(gray_first, r);
    io_.gray_ahead[k] = gray.strip == strips_ && r < job_.next.rows
                            ? PixelOf(job_.next, r, gray.column)
                            : PixelOf(job_.gray, row_of(gray, r), gray.column);
    const Position bits = ahead_of(bits_first, r);
    io_.bits_ahead[k] = Byte(row_of(bits, r), bits.column);
  }
}

// Calls mark(s, k) for each lane of vector v that is at `column` in step `step`
// + s of a block: that of row `vectors` · k + v.
template <typename Mark>
void Wave::ForEachAt(int32_t step, int v, int32_t column,
                     const Mark& mark) const {
  const int32_t lanes_end = lane_skew_ * lanes_;
  // How far ahead of the column the uppermost lane is.
  const int32_t ahead = At(step - v * skew_ - column).column;
  for (int s = -ahead & (lane_skew_ - 1); s < kBlock; s += lane_skew_) {
    int32_t lag = ahead + s;
    if (lag >= period_) lag -= period_;
    if (lag < lanes_end) mark(s, lag / lane_skew_);
  }
}

// Marks lanes just before a first column and just after a last one.
void Wave::MarkOutside(int32_t step) {
  std::fill_n(beside_->outside, kBlock * vectors_, 0);
  for (int v = 0; v < vectors_; ++v) {
    for (int32_t i = -kQuietColumns; i < lead_; ++i) {
      const int32_t column = i < 0 ? period_ + i : width_ + i;
      ForEachAt(step, v, column, [&](int s, int k) {
        beside_->outside[s * vectors_ + v] |= uint32_t{1} << (lanes_ - 1 - k);
      });
    }
  }
  if (HasBegins()) MarkBegins(step);
  if (kept_ > 0) MarkEnds(step);
}

// Marks lanes at a first column. A block is shorter than a row, so that each
// slot has one at most.
void Wave::MarkBegins(int32_t step) {
  std::fill_n(beside_->begins, kBlock * vectors_, 0);
  for (int v = 0; v < vectors_; ++v) {
    ForEachAt(step, v, 0, [&](int s, int k) {
      beside_->begins[s * vectors_ + v] |= uint32_t{1} << (lanes_ - 1 - k);
      const int r = vectors_ * k + v;
      const int32_t strip = At(step + s - skew_ * r).strip;
      beside_->noise[SlotOfRow(r)] =
          NoiseAt(job_.first_row + RowOfBand(strip, r), job_.first_column);
    });
  }
}

// Marks lanes at the column from which on a row is too short for another run.
void Wave::MarkEnds(int32_t step) {
  std::fill_n(beside_->ends, kBlock * vectors_, 0);
  const int32_t column = std::max(width_ - kept_, 1);
  for (int v = 0; v < vectors_; ++v) {
    ForEachAt(step, v, column, [&](int s, int k) {
      beside_->ends[s * vectors_ + v] |= uint32_t{1} << (lanes_ - 1 - k);
    });
  }
}

int32_t Wave::Blocks() const {
  const int32_t last = job_.gray.rows - 1;
  const int32_t steps = (strips_ - 1) * period_ + RoundUp(width_, 8) +
                        skew_ * (last % slots_) + kWindowLag;
  return (steps + kBlock - 1) / kBlock;
}

void Wave::Run() {
  const int32_t blocks = Blocks();
  const int32_t last_strip_begins = (strips_ - 1) * period_ - kBlock;
  const bool is_last_row_lowest = job_.gray.rows % slots_ == 0;
  AimGray(0);
  io_.parity = 0;
  core_.stage(state_.get(), io_);
  for (int32_t block = 0; block < blocks; ++block) {
    const int32_t step = block * kBlock;
    here_ = At(step);
    here_step_ = step;
    const int32_t window = step - kBlock - kWindowLag;
    if (job_.is_cancelled &&
        job_.is_cancelled->load(std::memory_order_relaxed)) {
      break;
    }
    io_.parity = block % 2;
    WaitForLine(step);
    AimGray(step + kBlock);
    AimBits(window);
    AimAhead(step, block % kTurns);
    AimLine(step);
    // The last row of a strip may begin in its first step.
    const bool is_inside =
        IsInside(step, kBlock + kept_) &&
        !(HasBegins() && here_.column == skew_ * (slots_ - 1));
    const bool are_states_wanted = job_.below && step >= last_strip_begins &&
                                   !(is_inside && is_last_row_lowest);
    for (size_t plane = 0; plane < planes_.size(); ++plane) {
      io_.states[plane] = are_states_wanted ? beside_->states[plane] : nullptr;
    }
    const bool is_plain = is_inside && !are_states_wanted;
    if (!is_plain) MarkOutside(step);
    core_.run(state_.get(), io_, is_plain ? Where::kInside : Where::kEdge);
    FinishLine(step);
    PublishLine(step);
  }
  const int32_t window = (blocks - 1) * kBlock - kWindowLag;
  io_.parity = blocks % 2;
  AimBits(window);
  core_.emit(state_.get(), io_);
  EmptyRuns();
}

}  // namespace halftoned::simd
