// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/simd/wave.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace halftoned::simd {
namespace {

// A core reads the line up to one vector past the block's last column, and the
// next block's part is prefetched, usually from another core if threads share
// the page.
constexpr int32_t kLineAhead = 2 * kBlock + 1 + 32;

// How far ahead of the wave its rows are prefetched. A seam is filled at its
// beginning from rows that are one seam ahead.
constexpr int32_t kAheadColumns = 448;
constexpr int32_t kAheadBitColumns = 1024;

// Cores are not instrumented. ThreadSanitizer sees the hand-off between threads
// because this code copies it to and from them.
#if defined(__SANITIZE_THREAD__)
constexpr bool kCopyLine = true;
#else
constexpr bool kCopyLine = false;
#endif

constexpr int32_t RoundUp(int32_t n, int32_t to) {
  return (n + to - 1) / to * to;
}

// Whether rows at this pitch share so few sets of a first cache of 64 sets that
// they evict each other.
bool Clash(size_t bytes_per_row) { return (bytes_per_row + 16) % 512 < 32; }

constexpr std::align_val_t kAlignment{64};

// Columns before the first one whose state reaches the line: it is that of the
// outside.
constexpr int kQuietColumns = 3;

}  // namespace

// Buffers for rows at their ends, and tables of pointers for every slot.
struct Wave::Beside {
  const uint8_t* strip_gray[kMaxSlots];
  const uint8_t* seam_gray[kMaxSlots];
  uint8_t* strip_bits[kMaxSlots];
  uint8_t* bits_run[kMaxSlots];
  alignas(64) uint8_t gray[kMaxSlots][2 * (kSeam + kChunk) + 64];
  alignas(64) uint8_t bits[kMaxSlots * kRun / 8 * kMaxSampleBits];
  alignas(64) uint32_t outside[kBlock * kMaxVectors];
  alignas(64) uint16_t above[kMaxPlanes][kBlock + 2 + 32];
  alignas(64) uint16_t below[kMaxPlanes][kBlock + 2];
  alignas(64) uint16_t lowest[kBlock + 2];
  alignas(64) uint16_t states[kMaxPlanes][kBlock * kMaxSlots];
};

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
      rows_clash_(Clash(job.bits.bytes_per_row)),
      planes_(job.line->planes()),
      strips_((job.gray.rows + slots_ - 1) / slots_),
      beside_(new Beside),
      state_(::operator new(core_.state_bytes, kAlignment)) {
  for (const LinePlane& plane : planes_) lead_ = std::max(lead_, plane.lead);
  // Between rows as many columns as one looks ahead, and as hand on to the row
  // below, whose errors are made 0. A strip's last row is a block ahead of the
  // next strip's first.
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
      // No pixels, and any value would do; but memory checkers want one.
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

// The line above the strip's first row, from the column at `first` on.
const uint16_t* Wave::Above(Position first, size_t plane) const {
  const uint16_t* const line = LineFrom(plane);
  // Of rows that are not there nothing is read: another strip may be writing.
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

// Brings what did not go to the line directly there.
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

// Marks lanes just before a first column and just after a last one.
void Wave::MarkOutside(int32_t step) {
  std::fill_n(beside_->outside, kBlock * vectors_, 0);
  const int32_t lanes_end = lane_skew_ * lanes_;
  for (int v = 0; v < vectors_; ++v) {
    for (int32_t i = -kQuietColumns; i < lead_; ++i) {
      const int32_t column = i < 0 ? period_ + i : width_ + i;
      // How far ahead of the column the uppermost lane is.
      int32_t ahead = At(step - v * skew_ - column).column;
      for (int s = -ahead & (lane_skew_ - 1); s < kBlock; s += lane_skew_) {
        int32_t lag = ahead + s;
        if (lag >= period_) lag -= period_;
        if (lag >= lanes_end) continue;
        beside_->outside[s * vectors_ + v] |=
            uint32_t{1} << (lanes_ - 1 - lag / lane_skew_);
      }
    }
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
    const bool is_inside = IsInside(step);
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
