// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/two_pass/two_pass_session.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halftone/cpu/two_pass/two_pass_rows.h"
#include "halftone/cpu/two_pass/two_pass_work.h"
#include "halftone/run/valid_order.h"

namespace halftoned {
namespace {

// One being filled, one waiting, two under way, one with the answer on view.
constexpr int kTwoPassRooms = 5;

// A thread that has a page to itself lets others have their turn after so many
// pixels of a sweep: about 1 ms of vectors.
constexpr int64_t kSweptPixelsOfTask = int64_t{1} << 18;

// Each thread gets a row of blocks in each stage of a step. The rows of a step
// on one thread stay in the second cache.
int32_t RowsOfStep(int32_t width, int threads) {
  constexpr int32_t kLeast = 64;
  constexpr int32_t kMost = 256;
  if (width > 1 << 15) return kLeast;
  return std::clamp(threads * kBestStep, kLeast, kMost);
}

int32_t WindowOf(const Page& page, const Pool& pool) {
  return TwoPassWork::WindowFor(RowsOfStep(page.width(), pool.threads()));
}

class TwoPassSession : public Session {
 public:
  TwoPassSession(const ValidOrder& order, std::unique_ptr<TwoPassRows> rows,
                 std::unique_ptr<Strips> strips, SwapKernel swap, Pool& pool)
      : page_(order->page),
        recipe_(order->recipe),
        fine_(order->recipe.FirstPass()),
        start_(std::make_shared<const Carry>(order.above())),
        is_at_start_(start_->IsAtStart(recipe_)),
        memory_(order->memory),
        on_ready_(order->on_ready),
        gray_bytes_(order.gray_bytes_per_row()),
        strips_(std::move(strips)),
        swap_(swap),
        rows_(std::move(rows)),
        order_(order.bands(static_cast<uint64_t>(
            std::max(kTwoPassRooms, order->bands_in_flight + 1)))),
        work_(*rows_, page_.first_row(), is_at_start_,
              RowsOfStep(page_.width(), pool.threads())),
        state_(Carry::AtStart(fine_, page_)),
        below_(start_),
        queue_(pool, order->job) {
    rows_->Begin(*start_, is_at_start_);
    std::ranges::copy(start_->plane(0), state_.plane(0).begin());
    std::ranges::copy(start_->plane(1), state_.plane(1).begin());
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
  // Memory for the gray of a band. Uninitialised, so that a short page touches
  // little of a tall room.
  using Memory = std::unique_ptr<std::byte[]>;

  // For the gray of a band. Bits without a place get memory of the session's.
  struct Room {
    Memory own;  // null if it is the caller's
    std::byte* gray;
    std::byte* bits;
  };

  struct Band {
    Room room;
    int64_t first_row;
    int64_t end_row;
    // Its answer.
    int64_t first_done;
    int64_t end_done;
    bool last;
    Memory own_bits;
    std::byte* bits;
    std::shared_ptr<const Carry> below;
  };

  // Keeps the first error: a session returns only that one.
  template <typename T>
  Result<T> Keep(Result<T> result) {
    if (error_) return *error_;
    if (!result.ok()) error_ = result.error();
    return result;
  }

  Result<GrayRoom> LendRoom();
  Result<Room> NextRoom();
  Result<void> SubmitBand(int32_t rows, bool last);
  Result<Finished> TakeAnswer();
  // Of the bands from the first that is kept.
  Band& BandAt(uint64_t number) { return bands_[number - dropped_]; }

  enum class Item { kNone, kFirstPass, kBlocks };
  // Those that follow are called with the lock.
  Item NextItem();
  void BeginPiece();
  bool IsCut(int64_t row) const;
  void CollectAnswers();
  bool CountDone();
  // Those that follow are called without it.
  void Work();
  bool Push(bool is_at_end);
  void RunFirstPass();
  GrayBand GatherGray();
  void RunStrips(const GrayBand& gray);
  void RunBlocks(const SwapRows& blocks);
  void FillAnswers();
  std::shared_ptr<const Carry> CarryBelow(const Band& band);
  void Starve();

  const Page page_;
  const Recipe recipe_;
  const Recipe fine_;
  const std::shared_ptr<const Carry> start_;
  const bool is_at_start_;
  const std::function<BandMemory()> memory_;
  const std::function<void()> on_ready_;
  const size_t gray_bytes_;
  const std::unique_ptr<Strips> strips_;
  const SwapKernel swap_;
  const std::unique_ptr<TwoPassRows> rows_;

  // Of the thread that uses the session.
  BandOrder order_;
  std::optional<Error> error_;
  std::deque<Room> lent_;
  std::vector<Memory> free_;
  // On view.
  Memory shown_bits_;
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

  // Of the thread that is in the first pass.
  int64_t piece_begin_ = 0;
  int64_t piece_end_ = 0;
  bool is_piece_cut_ = false;
  std::vector<const std::byte*> gray_rows_;
  std::vector<std::byte> gathered_;
  Carry state_;  // of `fine`, where it stands

  // Of the thread that ends a step.
  std::vector<Band*> answers_;
  std::shared_ptr<const Carry> below_;  // of the band done last

  std::atomic<bool> is_cancelled_ = false;
  // Destroyed first: waits for the running tasks.
  Pool::Queue queue_;
};

Result<GrayRoom> TwoPassSession::LendRoom() {
  if (!order_.CanLend()) return GrayRoom{};
  HALFTONED_TRY_ASSIGN(Room room, NextRoom());
  lent_.push_back(std::move(room));
  order_.Lend();
  return GrayRoom{lent_.back().gray, gray_bytes_, order_.rows_per_band()};
}

Result<TwoPassSession::Room> TwoPassSession::NextRoom() {
  if (memory_) {
    const BandMemory memory = memory_();
    return Room{nullptr, memory.gray, memory.bits};
  }
  Memory own;
  if (!free_.empty()) {
    own = std::move(free_.back());
    free_.pop_back();
  } else {
    const size_t bytes =
        gray_bytes_ * static_cast<size_t>(order_.rows_per_band());
    own.reset(new (std::nothrow) std::byte[bytes]);
    if (!own) {
      return Unavailable("out of memory: a band takes " +
                         std::to_string(bytes) + " bytes");
    }
  }
  std::byte* const gray = own.get();
  return Room{std::move(own), gray, nullptr};
}

Result<void> TwoPassSession::SubmitBand(int32_t rows, bool last) {
  const int64_t first_row = order_.next_row();
  HALFTONED_TRY(order_.Submit(rows, last));
  const int64_t end_row = order_.next_row();
  const int64_t first_done =
      recipe_.FirstUnanswered(page_.first_row(), first_row);
  const int64_t end_done =
      recipe_.FirstUnanswered(page_.first_row(), end_row, last);
  Band band{.room = std::move(lent_.front()),
            .first_row = first_row,
            .end_row = end_row,
            .first_done = first_done,
            .end_done = end_done,
            .last = last,
            .own_bits = nullptr,
            .bits = lent_.front().bits,
            .below = nullptr};
  lent_.pop_front();
  if (!band.bits) {
    const size_t bytes =
        rows_->bit_bytes() * static_cast<size_t>(end_done - first_done);
    band.own_bits.reset(new (std::nothrow) std::byte[bytes]);
    if (!band.own_bits) return Unavailable("out of memory for bits");
    band.bits = band.own_bits.get();
  }
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
    Memory& own = bands_.front().room.own;
    if (own) free_.push_back(std::move(own));
    bands_.pop_front();
    ++dropped_;
  }
  Band& band = bands_.front();
  shown_bits_ = std::move(band.own_bits);
  shown_ = band.below;
  return Finished{
      {band.bits, rows_->bit_bytes(),
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

// Some rows of the first pass: as many as it may do in a turn of the ring, and
// before the next row whose state is wanted.
void TwoPassSession::BeginPiece() {
  piece_begin_ = work_.first_pass();
  piece_end_ = std::min({work_.FirstPassEnd(), rows_->EndOfTurn(piece_begin_),
                         piece_begin_ + RowsOfStep(page_.width(), 1)});
  if (!is_at_start_ && piece_begin_ < page_.first_row() + kBestRowsBelow) {
    piece_end_ = std::min(piece_end_, page_.first_row() + kBestRowsBelow);
  }
  int64_t end = piece_begin_ + 1;
  while (end < piece_end_ && !IsCut(end)) ++end;
  piece_end_ = end;
  is_piece_cut_ = IsCut(end);
  gray_rows_.clear();
  auto band = bands_.begin();
  for (int64_t row = piece_begin_; row < piece_end_; ++row) {
    while (row >= band->end_row) ++band;
    gray_rows_.push_back(band->room.gray +
                         static_cast<size_t>(row - band->first_row) *
                             gray_bytes_);
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

// A further task, or one in the place of this. False if there is no thread or
// no memory for it.
bool TwoPassSession::Push(bool is_at_end) {
  const auto work = [this] { Work(); };
  try {
    return is_at_end ? queue_.PushNext(work) : queue_.TryPush(work);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// The gray of the piece, which may be of several bands. Others may write to the
// caller's memory meanwhile: so it is read once.
GrayBand TwoPassSession::GatherGray() {
  gathered_.resize(gray_rows_.size() * gray_bytes_);
  std::byte* to = gathered_.data();
  for (const std::byte* row : gray_rows_) {
    std::memcpy(to, row, gray_bytes_);
    to += gray_bytes_;
  }
  return {gathered_.data(), gray_bytes_,
          static_cast<int32_t>(gray_rows_.size())};
}

void TwoPassSession::RunFirstPass() {
  const GrayBand gray = GatherGray();
  for (int32_t i = 0; i < gray.rows; ++i) {
    rows_->Read(piece_begin_ + i, gray.row(i));
  }
  // The carry has the bits of the first rows.
  if (is_at_start_ || piece_begin_ >= page_.first_row() + kBestRowsBelow) {
    RunStrips(gray);
  }
  bool is_ready;
  {
    const std::lock_guard lock(mutex_);
    if (is_piece_cut_) states_.insert_or_assign(piece_end_, state_);
    work_.EndFirstPass(piece_end_);
    is_in_first_pass_ = false;
    is_ready = CountDone();
  }
  if (!is_ready) return;
  changed_.notify_all();
  if (on_ready_) on_ready_();
}

void TwoPassSession::RunStrips(const GrayBand& gray) {
  for (int64_t row = piece_begin_; row < piece_end_; ++row) {
    rows_->BeginFirstPass(row);
  }
  StripJob job;
  job.gray = gray;
  job.bits = {rows_->FirstBits(piece_begin_), rows_->bit_pitch(), gray.rows};
  job.below = &state_;
  job.is_cancelled = &is_cancelled_;
  strips_->Restart(state_);
  strips_->Run(job);
  for (int64_t row = piece_begin_; row < piece_end_; ++row) {
    rows_->EndFirstPass(row);
  }
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
    for (int64_t row = std::max(band->first_done, work_.finished()); row < end;
         ++row) {
      std::memcpy(band->bits + static_cast<size_t>(row - band->first_done) *
                                   rows_->bit_bytes(),
                  rows_->Bits(row), rows_->bit_bytes());
    }
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
  HALFTONED_TRY_ASSIGN(
      auto rows,
      TwoPassRows::Make(order.page, order.recipe, WindowOf(order.page, pool)));
  return std::unique_ptr<Session>(std::make_unique<TwoPassSession>(
      valid, std::move(rows), make(order.page, order.recipe.FirstPass()), swap,
      pool));
}

size_t TwoPassSessionBytes(const PageOrder& order, const Pool& pool) {
  const int32_t window = WindowOf(order.page, pool);
  const size_t carry = Carry::SavedBytes(order.recipe, order.page);
  const size_t state = Carry::SavedBytes(order.recipe.FirstPass(), order.page);
  const auto bands =
      static_cast<size_t>(std::max(kTwoPassRooms, order.bands_in_flight + 1));
  const auto piece = static_cast<size_t>(RowsOfStep(order.page.width(), 1));
  return TwoPassRows::BytesOf(order.page, order.recipe, window) +
         piece * order.page.gray_bytes_per_row() +
         static_cast<size_t>(window / kBestStep + 1) * state +
         (bands + 2) * carry;
}

}  // namespace halftoned
