// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/strip_work.h"

#include <algorithm>
#include <new>
#include <utility>

namespace halftoned {
namespace {

// Narrower pages are left to one thread at a time: a strip could not follow the
// one above closely enough to gain anything.
constexpr int32_t kMinSharedWidth = 1024;

// A strip lags at least this many columns behind the one above. With more
// threads than fit into a row at this distance, some would only wait.
constexpr int32_t kMinLead = 512;

// Fewer pixels are left to one thread, since they take it 0.1 … 0.4 ms, and a
// wakeup may take as long. If a page has not ended and no further band has been
// submitted, its source is slower than one thread, unless bands are large.
constexpr int64_t kPixelsWorthSharing = int64_t{1} << 19;
constexpr int64_t kPixelsOfLargeBand = int64_t{1} << 21;

// A thread that has a page to itself yields to others after this many pixels,
// or after a strip: about 1 ms of vectors, 20 … 40 ms of the definition's plain
// loops.
constexpr int64_t kPixelsOfTask = int64_t{1} << 21;

}  // namespace

StripWork::StripWork(const ValidOrder& order, const Carry& start,
                     std::vector<Band>& bands, std::unique_ptr<Strips> strips,
                     Pool* pool)
    : bands_(bands),
      strips_(std::move(strips)),
      threads_(pool ? pool->threads() : 0),
      width_(order->page.width()),
      gray_bytes_per_row_(order.gray_bytes_per_row()),
      bit_bytes_per_row_(order.bit_bytes_per_row()),
      on_ready_(order->on_ready),
      restart_(&start) {
  if (pool) queue_ = std::make_unique<Pool::Queue>(*pool, order->job);
}

// For a band that has just been submitted. If the turn is taken, it will come
// to that band.
Result<void> StripWork::Begin(bool last) {
  {
    std::lock_guard lock(mutex_);
    ++bands_submitted_;
    is_page_whole_ = last;
    if (std::exchange(is_turn_taken_, true)) return {};
  }
  if (RunPure(BandOf(next_band_))) return {};
  if (!queue_) return Unavailable("there is gray on the page");
  queue_->Push([this] { Work(); });
  return {};
}

// Takes the turn of a band that has just been submitted. Rows without gray
// pixels are done here, sooner than another thread could be woken; most printed
// pages have only such rows. True if these are all rows of the band.
bool StripWork::RunPure(Band& band) {
  if (above_ && !above_->IsOver()) return false;
  try {
    if (restart_) strips_->Restart(*std::exchange(restart_, nullptr));
    above_ = nullptr;
    // A thread of the pool goes on with more than a task.
    const int32_t rows = queue_ ? std::min(band.rows, RowsOfTask()) : band.rows;
    next_row_ = strips_->RunPure(RowsOf(band, 0, rows));
  } catch (const std::bad_alloc&) {
    Starve();
  }
  if (next_row_ == 0) return false;
  const int32_t rows = next_row_;
  const bool is_all = rows == band.rows;
  if (is_all) {
    next_row_ = 0;
    ++next_band_;
    std::lock_guard lock(mutex_);
    is_turn_taken_ = false;
  }
  EndRows(band, rows);
  return is_all;
}

// Runs on a thread of the pool, where an exception would end the program.
void StripWork::Work() {
  for (bool is_passed_on = false; !is_passed_on;) {
    RunJob(NextJob([&] { is_passed_on = PassOn(When::kMeanwhile); }));
    if (!is_passed_on) is_passed_on = PassOn(When::kAtTheEnd);
  }
}

// False if there is no thread or no memory for it.
bool StripWork::PassOn(When when) {
  {
    std::lock_guard lock(mutex_);
    if (next_band_ == bands_submitted_) {
      is_turn_taken_ = false;
      return true;
    }
  }
  const auto work = [this] { Work(); };
  try {
    return when == When::kAtTheEnd ? queue_->PushNext(work)
                                   : queue_->TryPush(work);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// The number of threads to share the rest of the band. If there are enough
// pages, one for each is best: a thread's own strips join without a gap.
int StripWork::ThreadsFor(const Band& band) {
  if (threads_ == 1 || width_ < kMinSharedWidth || !strips_->can_overlap() ||
      strips_->rows_per_strip() > band.rows) {
    return 1;
  }
  const int64_t pixels = int64_t{band.rows - next_row_} * width_;
  {
    std::lock_guard lock(mutex_);
    const bool is_behind = next_band_ + 1 < bands_submitted_;
    if (!is_behind &&
        pixels < (is_page_whole_ ? kPixelsWorthSharing : kPixelsOfLargeBand)) {
      return 1;
    }
  }
  return std::clamp(queue_->SpareThreads(), 1, width_ / kMinLead);
}

// Whole strips, which need no restart below them.
int32_t StripWork::RowsOfTask() const {
  const int64_t strip = strips_->rows_per_strip();
  return static_cast<int32_t>(
      std::max(kPixelsOfTask / width_ / strip, int64_t{1}) * strip);
}

// One strip if threads share the band, otherwise as many strips as a thread may
// do in a turn. Calls `when_ahead` once another thread may follow, unless that
// is only at the end.
StripWork::Job StripWork::NextJob(std::function<void()> when_ahead) {
  Band& band = BandOf(next_band_);
  const int threads = ThreadsFor(band);
  const int32_t strip = strips_->rows_per_strip();
  const int32_t left = band.rows - next_row_;
  const int32_t rows = std::min(threads > 1 ? strip : RowsOfTask(), left);
  Job job{
      .band = &band,
      .first_row = next_row_,
      .rows = rows,
      .next_row = static_cast<int32_t>(std::min(
          int64_t{next_row_} + int64_t{threads} * rows, int64_t{band.rows})),
      .above = std::move(above_),
      .own = nullptr,
      .restart = restart_};
  // Others follow only a shared strip while it is made.
  if (threads > 1 && rows == strip) {
    try {
      job.own = std::make_shared<StripProgress>(
          std::max(kMinLead, width_ / (threads + 1)), std::move(when_ahead));
    } catch (const std::bad_alloc&) {
      Starve();
    }
  }
  above_ = job.own;
  restart_ = rows % strip == 0 ? nullptr : &*band.below;
  next_row_ += rows;
  if (next_row_ == band.rows) {
    next_row_ = 0;
    ++next_band_;
  }
  return job;
}

void StripWork::Starve() {
  is_out_of_memory_ = true;
  is_cancelled_ = true;  // later jobs would continue from nothing
}

void StripWork::RunJob(const Job& job) {
  Band& band = *job.band;
  try {
    if (!is_cancelled_) Halftone(job);
  } catch (const std::bad_alloc&) {
    Starve();
  }
  // A canceled job may not have waited for the strip above, which may still
  // write to memory that the next job reads.
  if (is_cancelled_ && job.above) job.above->WaitFor(StripProgress::kAll);
  if (job.own) job.own->Publish(StripProgress::kAll);
  EndRows(band, job.rows);
}

void StripWork::EndRows(Band& band, int32_t rows) {
  if (band.rows_left.fetch_sub(rows, std::memory_order_acq_rel) != rows) return;
  band.rows_left.notify_all();
  if (on_ready_) on_ready_();
}

// A job for some rows of a band, which shares no progress with others.
StripJob StripWork::RowsOf(Band& band, int32_t first, int32_t rows) const {
  StripJob job;
  job.first_row = band.first_row + first;
  job.gray = {
      band.memory.gray + static_cast<size_t>(first) * gray_bytes_per_row_,
      gray_bytes_per_row_, rows};
  job.bits = {
      band.memory.bits + static_cast<size_t>(first) * bit_bytes_per_row_,
      bit_bytes_per_row_, rows};
  if (first + rows == band.rows) job.below = &*band.below;
  job.is_cancelled = &is_cancelled_;
  return job;
}

void StripWork::Halftone(const Job& job) {
  Band& band = *job.band;
  const StripProgress* above = job.above.get();
  if (job.restart) {
    if (above) above->WaitFor(StripProgress::kAll);
    strips_->Restart(*job.restart);
    above = nullptr;
  }
  StripJob strips = RowsOf(band, job.first_row, job.rows);
  strips.next =
      RowsOf(band, job.next_row, std::min(job.rows, band.rows - job.next_row))
          .gray;
  strips.above = above;
  if (job.rows <= strips_->rows_per_strip()) strips.own = job.own.get();
  strips_->Run(strips);
}

}  // namespace halftoned
