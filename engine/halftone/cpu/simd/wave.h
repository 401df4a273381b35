// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wave: drives a core over some rows of a page. Rows are divided into
// strips. A lane that reaches the end of its row continues with the row one
// strip below, so lanes never idle between strips. To a lane the page is one
// long line of rows, `period` columns each, of which the first `width` are
// pixels:
//
//   position of row r of a strip at step t:  t - skew · r, modulo period
//
// In blocks in which all rows are amid their pixels, gray is read from the rows
// and bits are written to them directly. The other blocks are a seam between
// two strips: there each lane's pixels are copied together first, and its bits
// are collected in runs that are copied to their rows last. Runs are used for
// all bits too if rows lie at a pitch of, say, 2048 bytes and would evict each
// other from the cache between blocks: 16384 columns took 70 cycles per 128
// pixels without runs and take 49 with them; but 4960 columns, at a pitch of
// 620, take 49 without and 51 with runs.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/line.h"
#include "halftone/cpu/strip_progress.h"
#include "halftone/page/band.h"
#include "halftone/page/carry.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned::simd {

// Consecutive rows of one page, all on the calling thread.
struct WaveJob {
  const Target* target;
  const Core* core;  // of the target, for this page
  Page page;
  // The columns that are computed; `columns` 0: all. Pixels beside them count
  // as outside of the page. `gray`, `bits` and `next` begin at the first of
  // them, `line`, `below` and progress at the page's first column.
  int32_t first_column = 0;
  int32_t columns = 0;
  int64_t first_row = 0;  // of `gray`, on the page
  const Recipe* recipe;
  const CurveTables* curve;    // none: the identity
  const ToneRecords* records;  // see PageKind
  GrayBand gray;
  BitRoom bits;
  GrayBand next;  // to be fetched towards the end; may have no rows
  Line* line;     // read from and written to, a few columns further each side
  Carry* below;   // takes the state of the last row; may be null
  // Progress of the strip above, if another thread works on it: `line` is
  // complete as far as that strip is.
  const StripProgress* above = nullptr;
  // Progress of this strip, if another thread will work on the strip below.
  // Then the rows are at most one strip.
  StripProgress* own = nullptr;
  const std::atomic<bool>* is_cancelled = nullptr;
};

class Wave {
 public:
  explicit Wave(const WaveJob& job);
  ~Wave();
  Wave(const Wave&) = delete;
  Wave& operator=(const Wave&) = delete;

  // Call it once.
  void Run();

 private:
  // The longest seam that is copied in one go, in steps; no target has a longer
  // one.
  static constexpr int32_t kSeam = 7 * kBlock;
  // Steps whose bits are collected: a cache line for two levels.
  static constexpr int32_t kRun = 512;
  static_assert(kRun % kBlock == 0);

  // A position on a lane's line: a column of its strip-th row.
  struct Position {
    int32_t strip;
    int32_t column;  // 0 … period - 1
  };
  struct Beside;
  struct DeleteState {
    void operator()(void* state) const;
  };

  int SlotOfRow(int row) const {
    return row % vectors_ * lanes_ + lanes_ - 1 - row / vectors_;
  }
  // How far the pixels of a strip's row are ahead of its position.
  int LeadBytes(int row) const {
    return core_.last_is_ahead && row % vectors_ == vectors_ - 1
               ? kChunk * pixel_bytes_
               : 0;
  }
  // The position of the strip's first row at `step`, which is near the current
  // one.
  Position At(int32_t step) const {
    Position at{here_.strip, here_.column + step - here_step_};
    for (; at.column < 0; at.column += period_) --at.strip;
    for (; at.column >= period_; at.column -= period_) ++at.strip;
    return at;
  }
  Position Behind(Position first, int lag) const {
    const int32_t column = first.column - lag;
    return column < 0 ? Position{first.strip - 1, column + period_}
                      : Position{first.strip, column};
  }
  int32_t RowOfBand(int32_t strip, int row) const {
    return strip * slots_ + row;
  }
  bool IsRow(int32_t row) const { return row >= 0 && row < job_.gray.rows; }
  bool IsInside(int32_t step, int32_t steps = kBlock) const;
  const uint8_t* Pixel(int32_t row, int32_t column) const {
    return PixelOf(job_.gray, row, column);
  }
  const uint8_t* PixelOf(const GrayBand& band, int32_t row,
                         int32_t column) const {
    return reinterpret_cast<const uint8_t*>(band.row(row)) +
           static_cast<ptrdiff_t>(column) * pixel_bytes_;
  }
  uint8_t* Byte(int32_t row, int32_t column) const {
    return reinterpret_cast<uint8_t*>(job_.bits.row(row)) +
           column / 8 * sample_bits_;
  }

  uint16_t* LineFrom(size_t plane) const {
    return job_.line->entries(plane) + job_.first_column;
  }
  void PointGray(int32_t strip);
  void AimGray(int32_t step);
  uint8_t* RunOf(int slot) const;
  void FillGraySeam(int32_t step);
  void AimBits(int32_t step);
  void AimAhead(int32_t step, int turn);
  void AimAheadOfEdge(int32_t step, int turn);
  void AimLine(int32_t step);
  const uint16_t* Above(Position first, size_t plane) const;
  uint16_t* Below(Position last, size_t plane) const;
  void MarkOutside(int32_t step);
  template <typename Mark>
  void ForEachAt(int32_t step, int v, int32_t column, const Mark& mark) const;
  bool HasBegins() const { return core_.has_noise || kept_ > 0; }
  void MarkBegins(int32_t step);
  void MarkEnds(int32_t step);
  void StoreLine(int32_t step, size_t plane);
  void StoreStates(int32_t step, size_t plane);
  void PointBits(int32_t strip);
  void EmptyRuns();
  void EmptyWholeRuns(Position first);
  void EmptyRun(Position first, int r);
  void FinishLine(int32_t step);
  void CopyBits(int32_t row, int32_t column, const uint8_t* from, int bytes);
  void WaitForLine(int32_t step);
  void PublishLine(int32_t step);
  int32_t Blocks() const;

  const WaveJob job_;
  const Core core_;
  const int lanes_;
  const int vectors_;
  const int lane_skew_;
  const int skew_;
  const int slots_;  // rows of a strip
  const int width_;
  const int pixel_bytes_;
  const int sample_bits_;
  const int32_t kept_;  // Recipe::kKept
  const bool rows_clash_;
  const std::span<const LinePlane> planes_;
  int lead_ = 0;  // the greatest lead of a plane
  const int32_t strips_;
  int32_t period_;
  int32_t row_bytes_;  // of bits
  uint8_t last_byte_mask_;
  Position here_{0, 0};  // at step here_step_
  int32_t here_step_ = 0;
  int32_t gray_seam_ = 0;  // first step of the copied seam
  int32_t gray_seam_end_ = 0;
  int32_t run_step_ = 0;     // first step of the runs of bits
  int32_t run_steps_ = 0;    // steps that windows have been aimed at
  int32_t gray_strip_ = -1;  // the strip that the pointers to gray are for
  int32_t bits_strip_ = -1;

  uint8_t row_of_slot_[kMaxSlots];
  BlockIo io_{};
  std::vector<uint8_t> sink_;  // for the bits of rows that do not exist
  std::unique_ptr<Beside> beside_;
  std::unique_ptr<void, DeleteState> state_;
};

}  // namespace halftoned::simd
