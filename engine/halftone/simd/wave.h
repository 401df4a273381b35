// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wave: drives a core over some rows of a page. Rows are cut into strips;
// a lane that has come to the end of its row goes on with the row one strip
// further down, so that lanes never stand still between strips. Seen from a
// lane, the page is one long line of rows, `period` columns each, of which the
// first `width` are pixels:
//
//   position of row r of a strip at step t:  t - skew · r, modulo period
//
// In blocks in which all rows are amid their pixels, pointers into gray and
// bits are the rows' own. The others are a seam between two strips: for it,
// each lane's line is copied together first, and its bits are gathered in runs
// that go to their rows last. So are all bits where rows lie at a pitch of,
// say, 2048 bytes and would drive each other from the cache between every two
// blocks: 16384 columns took 70 cycles for 128 pixels so, and take 49; but 4960
// columns, at a pitch of 620, take 49 without and 51 with runs.

#ifndef HALFTONED_HALFTONE_SIMD_WAVE_H_
#define HALFTONED_HALFTONE_SIMD_WAVE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "halftone/band.h"
#include "halftone/carry.h"
#include "halftone/page.h"
#include "halftone/progress.h"
#include "halftone/recipe.h"
#include "halftone/simd/core.h"
#include "halftone/simd/line.h"

namespace halftoned::simd {

// Some consecutive rows of one page, all on the calling thread.
struct WaveJob {
  const Target* target;
  Page page;
  const Recipe* recipe;
  const CurveTables* curve;  // none: the identity
  GrayBand gray;
  BitRoom bits;
  GrayBand next;  // to be fetched towards the end; may have no rows
  Line* line;     // read from, and written to unless it is `last`
  Carry* below;   // takes the state of the last row; may be null
  // The strip above, if another thread is on it: `line` is as far as that is.
  const Progress* above = nullptr;
  // For the strip below, if another thread will be on it. Then the rows are
  // one strip at most.
  Progress* own = nullptr;
  const std::atomic<bool>* is_cancelled = nullptr;
};

class Wave {
 public:
  explicit Wave(const WaveJob& job);
  ~Wave();
  Wave(const Wave&) = delete;
  Wave& operator=(const Wave&) = delete;

  // To be called once.
  void Run();

 private:
  // The longest seam that is copied at once, in steps: all of one on every
  // target.
  static constexpr int32_t kSeam = 7 * kBlock;
  // Steps whose bits are gathered: of two levels, a cache line.
  static constexpr int32_t kRun = 512;
  static_assert(kRun % kBlock == 0);

  // A place in the line of rows: in the strip-th row of its lane.
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
  // Of a strip's row: how far its pixels are ahead of where it is.
  int LeadBytes(int row) const {
    return core_.last_is_ahead && row % vectors_ == vectors_ - 1
               ? kChunk * pixel_bytes_
               : 0;
  }
  // Of the strip's first row at `step`, not far from where the wave is.
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
  void DeriveErrors(int16_t* errors);
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
  const bool rows_clash_;
  const std::span<const LinePlane> planes_;
  int lead_ = 0;  // the greatest of the planes'
  const int32_t strips_;
  int32_t period_;
  int32_t row_bytes_;  // of bits
  uint8_t last_byte_mask_;
  Position here_{0, 0};  // at step here_step_
  int32_t here_step_ = 0;
  int32_t gray_seam_ = 0;  // first step of what is in the seam
  int32_t gray_seam_end_ = 0;
  int32_t run_step_ = 0;     // with which the runs of bits begin
  int32_t run_steps_ = 0;    // that windows have been aimed at
  int32_t gray_strip_ = -1;  // to whose rows the tables of pointers lead
  int32_t bits_strip_ = -1;

  uint8_t row_of_slot_[kMaxSlots];
  BlockIo io_{};
  std::vector<uint8_t> sink_;  // takes the bits of rows that are not
  std::unique_ptr<Beside> beside_;
  std::unique_ptr<void, DeleteState> state_;
};

}  // namespace halftoned::simd

#endif  // HALFTONED_HALFTONE_SIMD_WAVE_H_
