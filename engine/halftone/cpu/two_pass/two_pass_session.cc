// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/two_pass/two_pass_session.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "halftone/cpu/lent_memory.h"
#include "halftone/cpu/two_pass/first_pass.h"
#include "halftone/cpu/two_pass/two_pass_band.h"
#include "halftone/cpu/two_pass/two_pass_rows.h"
#include "halftone/cpu/two_pass/two_pass_size.h"
#include "halftone/cpu/two_pass/two_pass_work.h"
#include "halftone/run/valid_order.h"

namespace halftoned {
namespace {

// A thread that has a page to itself yields to others after this many pixels of
// a sweep: about 1 ms of vectors.
constexpr int64_t kSweptPixelsOfTask = int64_t{1} << 18;

class TwoPassSession : public Session {
 public:
  TwoPassSession(const ValidOrder& order, std::unique_ptr<TwoPassRows> rows,
                 std::unique_ptr<Strips> strips, SwapKernel swap, Pool& pool)
      : page_(order->page),
        recipe_(order->recipe),
        start_(std::make_shared<const Carry>(order.above())),
        is_at_start_(start_->IsAtStart(recipe_)),
        on_ready_(order->on_ready),
        gray_bytes_(order.gray_bytes_per_row()),
        swap_(swap),
        rows_(std::move(rows)),
        order_(order.bands(TwoPassRooms(*order))),
        memory_(order, 0, TwoPassRooms(*order)),
        work_(*rows_, page_.first_row(), is_at_start_,
              RowsOfTwoPassStep(page_.width(), pool.threads())),
        first_pass_(page_, recipe_, *start_, *rows_, std::move(strips)),
        below_(start_),
        queue_(pool, order->job) {
    rows_->Begin(*start_, is_at_start_);
  }
  ~TwoPassSession() override { is_cancelled_ = true; }

  Result<GrayRoom> Lend() override { return Keep(LendRoom()); }
  Result<void> Submit(int32_t rows, bool last) override {
    return Keep(SubmitBand(rows, last));
  }
  Result<Finished> Take() override { return Keep(TakeAnswer()); }
  bool Ready() override {
    const std::lock_guard lock(mutex_);
    return order_.taken() < done_ || is_out_of_memory_;
  }

 private:
  using Band = TwoPassBand;

  // Keeps the first error: a session returns only that one.
  template <typename T>
  Result<T> Keep(Result<T> result) {
    if (error_) return *error_;
    if (!result.ok()) error_ = result.error();
    return result;
  }

  Result<GrayRoom> LendRoom();
  Result<void> SubmitBand(int32_t rows, bool last);
  Result<Finished> TakeAnswer();
  // The band of this number, which must not be dropped yet.
  Band& BandAt(uint64_t number) { return bands_[number - dropped_]; }

  enum class Item { kNone, kFirstPass, kBlocks };
  // Called with the lock held:
  Item NextItem();
  void BeginPiece();
  bool IsCut(int64_t row) const;
  void CollectAnswers();
  bool CountDone();
  // Called without the lock:
  void Work();
  bool Push(bool is_at_end);
  void RunFirstPass();
  void RunBlocks(const SwapRows& blocks);
  void FillAnswers();
  std::shared_ptr<const Carry> CarryBelow(const Band& band);
  void Starve();

  const Page page_;
  const Recipe recipe_;
  const std::shared_ptr<const Carry> start_;
  const bool is_at_start_;
  const std::function<void()> on_ready_;
  const size_t gray_bytes_;
  const SwapKernel swap_;
  const std::unique_ptr<TwoPassRows> rows_;

  // These belong to the thread that uses the session.
  BandOrder order_;
  std::optional<Error> error_;
  LentMemory memory_;
  std::deque<BandMemory> lent_;
  // On view.
  std::unique_ptr<std::byte[]> shown_bits_;
  std::shared_ptr<const Carry> shown_;

  std::mutex mutex_;
  std::condition_variable changed_;
  TwoPassWork work_;
  std::deque<Band> bands_;  // submitted, from the last one taken on
  uint64_t dropped_ = 0;    // bands before those
  uint64_t done_ = 0;       // bands whose answers are finished
  int tasks_ = 0;           // pushed, and not ended
  SwapRows blocks_{};       // those that NextItem has chosen
  bool is_in_first_pass_ = false;
  bool is_out_of_memory_ = false;
  std::map<int64_t, Carry> states_;  // of `fine`, above rows

  // These belong to the thread that is in the first pass.
  FirstPass first_pass_;
  bool is_piece_cut_ = false;

  // These belong to the thread that ends a step.
  std::vector<Band*> answers_;
  std::shared_ptr<const Carry> below_;  // of the band done last

  std::atomic<bool> is_cancelled_ = false;
  // Destroyed first: waits for the running tasks.
  Pool::Queue queue_;
};

Result<GrayRoom> TwoPassSession::LendRoom() {
  if (!order_.CanLend()) return GrayRoom{};
  HALFTONED_TRY_ASSIGN(const BandMemory memory, memory_.Take());
  lent_.push_back(memory);
  order_.Lend();
  return GrayRoom{memory.gray, gray_bytes_, order_.rows_per_band()};
}

Result<void> TwoPassSession::SubmitBand(int32_t rows, bool last) {
  const int64_t first_row = order_.next_row();
  HALFTONED_TRY(order_.Submit(rows, last));
  const int64_t end_row = order_.next_row();
  HALFTONED_TRY_ASSIGN(
      Band band,
      Band::Make(lent_.front(), first_row, end_row,
                 {recipe_.FirstUnanswered(page_.first_row(), first_row),
                  recipe_.FirstUnanswered(page_.first_row(), end_row, last)},
                 last, rows_->sample_bytes()));
  lent_.pop_front();
  bool is_ready;
  bool has_work;
  {
    const std::lock_guard lock(mutex_);
    bands_.push_back(std::move(band));
    work_.SetEnd(end_row, last);
    is_ready = CountDone();
    has_work = tasks_ == 0;
    if (has_work) ++tasks_;
  }
  if (is_ready && on_ready_) on_ready_();
  if (has_work) queue_.Push([this] { Work(); });
  return {};
}

Result<Finished> TwoPassSession::TakeAnswer() {
  HALFTONED_TRY(order_.Take());
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return order_.taken() <= done_ || is_out_of_memory_; });
  if (is_out_of_memory_) return Unavailable("out of memory for halftoning");
  while (dropped_ + 1 < order_.taken()) {
    memory_.GiveBack(bands_.front().memory);
    bands_.pop_front();
    ++dropped_;
  }
  Band& band = bands_.front();
  shown_bits_ = std::move(band.own_bits);
  shown_ = band.below;
  return Finished{
      {band.bits, rows_->sample_bytes(),
       static_cast<int32_t>(band.end_done - band.first_done), band.first_done},
      shown_.get()};
}

TwoPassSession::Item TwoPassSession::NextItem() {
  if (is_cancelled_) return Item::kNone;
  if (!is_in_first_pass_ && work_.FirstPassEnd() > work_.first_pass()) {
    is_in_first_pass_ = true;
    BeginPiece();
    return Item::kFirstPass;
  }
  if (!work_.HasBlocks()) return Item::kNone;
  blocks_ = work_.NextBlocks();
  return Item::kBlocks;
}

// Whether an answer may need the state of `fine` above this row.
bool TwoPassSession::IsCut(int64_t row) const {
  const int64_t done = row - kBestRowsBelow;
  if (done % kBestStep != 0) return false;
  if (done > bands_.back().end_done) return true;
  return std::ranges::any_of(
      bands_, [done](const Band& band) { return band.end_done == done; });
}

// Begins some rows of the first pass: as many as fit in a turn of the ring, up
// to the next row whose state is needed.
void TwoPassSession::BeginPiece() {
  const int64_t begin = work_.first_pass();
  int64_t most = std::min({work_.FirstPassEnd(), rows_->EndOfTurn(begin),
                           begin + RowsOfTwoPassStep(page_.width(), 1)});
  if (!is_at_start_ && begin < page_.first_row() + kBestRowsBelow) {
    most = std::min(most, page_.first_row() + kBestRowsBelow);
  }
  int64_t end = begin + 1;
  while (end < most && !IsCut(end)) ++end;
  is_piece_cut_ = IsCut(end);
  first_pass_.Begin(begin);
  auto band = bands_.begin();
  for (int64_t row = begin; row < end; ++row) {
    while (row >= band->end_row) ++band;
    first_pass_.AddRow(band->GrayRow(row, gray_bytes_));
  }
}

// Runs on a thread of the pool, where an exception would end the program.
void TwoPassSession::Work() {
  int64_t pixels = 0;
  for (;;) {
    const int threads = std::max(queue_.SpareThreads(), 1);
    Item item;
    SwapRows blocks;
    bool is_shared;
    {
      const std::lock_guard lock(mutex_);
      item = NextItem();
      if (item == Item::kNone) {
        --tasks_;
        return;
      }
      blocks = blocks_;
      is_shared = tasks_ < threads && work_.HasBlocks();
      if (is_shared) ++tasks_;
    }
    if (is_shared && !Push(false)) {
      const std::lock_guard lock(mutex_);
      --tasks_;
    }
    try {
      if (item == Item::kFirstPass) {
        RunFirstPass();
      } else {
        RunBlocks(blocks);
      }
    } catch (const std::bad_alloc&) {
      Starve();
    }
    pixels += int64_t{page_.width()} * kBestBlock;
    if (pixels < kSweptPixelsOfTask) continue;
    if (Push(true)) return;
    pixels = 0;
  }
}

// Pushes a further task, or one that replaces this one. False if there is no
// thread or no memory for it.
bool TwoPassSession::Push(bool is_at_end) {
  const auto work = [this] { Work(); };
  try {
    return is_at_end ? queue_.PushNext(work) : queue_.TryPush(work);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void TwoPassSession::RunFirstPass() {
  // The carry has the bits of the first rows.
  const bool is_made =
      !is_at_start_ && first_pass_.begin() < page_.first_row() + kBestRowsBelow;
  first_pass_.Run(is_made, is_cancelled_);
  bool is_ready;
  {
    const std::lock_guard lock(mutex_);
    const int64_t end = first_pass_.end();
    if (is_piece_cut_) states_.insert_or_assign(end, first_pass_.state());
    work_.EndFirstPass(end);
    is_in_first_pass_ = false;
    is_ready = CountDone();
  }
  if (!is_ready) return;
  changed_.notify_all();
  if (on_ready_) on_ready_();
}

void TwoPassSession::RunBlocks(const SwapRows& blocks) {
  swap_(blocks);
  {
    const std::lock_guard lock(mutex_);
    if (!work_.EndBlocks()) return;
    CollectAnswers();
  }
  FillAnswers();
  {
    const std::lock_guard lock(mutex_);
    work_.EndStep();
    states_.erase(states_.begin(), states_.lower_bound(work_.finished()));
    CountDone();
  }
  changed_.notify_all();
  if (on_ready_) on_ready_();
}

// The bands whose answers have rows of this step.
void TwoPassSession::CollectAnswers() {
  answers_.clear();
  for (Band& band : bands_) {
    if (band.end_done > work_.finished() &&
        band.first_done < work_.step_end()) {
      answers_.push_back(&band);
    }
  }
}

void TwoPassSession::FillAnswers() {
  for (Band* band : answers_) {
    const int64_t end = std::min(band->end_done, work_.step_end());
    band->Fill(*rows_, std::max(band->first_done, work_.finished()), end);
    if (end == band->end_done) band->below = CarryBelow(*band);
  }
}

std::shared_ptr<const Carry> TwoPassSession::CarryBelow(const Band& band) {
  auto below = std::make_shared<Carry>(Carry::AtStart(recipe_, page_));
  below->set_next_row(band.end_done);
  if (band.last) return below;
  rows_->Save(band.end_done, *below);
  const std::lock_guard lock(mutex_);
  const Carry& fine = states_.at(band.end_done + kBestRowsBelow);
  std::ranges::copy(fine.plane(0), below->plane(0).begin());
  std::ranges::copy(fine.plane(1), below->plane(1).begin());
  return below;
}

// Counts the bands that are done now: all of their gray has been read, and the
// rows of their answers, if there are any, are finished. True if there are any.
bool TwoPassSession::CountDone() {
  const uint64_t before = done_;
  for (; done_ < dropped_ + bands_.size(); ++done_) {
    Band& band = BandAt(done_);
    if (band.end_done > work_.finished()) break;
    if (band.end_row > work_.first_pass()) break;
    if (!band.below) band.below = band.last ? CarryBelow(band) : below_;
    below_ = band.below;
  }
  return done_ > before;
}

void TwoPassSession::Starve() {
  {
    const std::lock_guard lock(mutex_);
    is_out_of_memory_ = true;
    is_cancelled_ = true;
  }
  changed_.notify_all();
  if (on_ready_) on_ready_();
}

}  // namespace

Result<std::unique_ptr<Session>> OpenTwoPassSession(const PageOrder& order,
                                                    const StripsMaker& make,
                                                    SwapKernel swap,
                                                    Pool& pool) {
  HALFTONED_TRY_ASSIGN(const ValidOrder valid, ValidOrder::Of(order));
  HALFTONED_TRY_ASSIGN(auto rows,
                       TwoPassRows::Make(order.page, order.recipe,
                                         TwoPassWindow(order.page, pool)));
  return std::unique_ptr<Session>(std::make_unique<TwoPassSession>(
      valid, std::move(rows), make(order.page, order.recipe.FirstPass()), swap,
      pool));
}

}  // namespace halftoned
