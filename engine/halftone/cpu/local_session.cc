// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/local_session.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halftone/run/valid_order.h"

namespace halftoned {
namespace {

// Narrower pages are left to one thread at a time: a strip could not follow the
// one above closely enough to gain anything.
constexpr int32_t kMinSharedWidth = 1024;

// Columns by which a strip lags behind the one above at least. With more
// threads than fit into a row at this distance some would only wait.
constexpr int32_t kMinLead = 512;

// Fewer pixels are left to one thread, since they take it 0.1 … 0.4 ms, and a
// wakeup may take as long. While a page goes on and no further band is there,
// its source is slower than one thread, unless bands are large.
constexpr int64_t kPixelsWorthSharing = int64_t{1} << 19;
constexpr int64_t kPixelsOfLargeBand = int64_t{1} << 21;

// A thread that has a page to itself lets others have their turn after so many
// pixels, or after a strip: about 1 ms of vectors, 20 … 40 ms of the
// definition's plain loops.
constexpr int64_t kPixelsOfTask = int64_t{1} << 21;

// The gray and the bits of a band. Uninitialised, so that a short page touches
// little of a tall room.
class OwnMemory {
 public:
  static Result<OwnMemory> Make(size_t gray_bytes, size_t bit_bytes) {
    OwnMemory memory;
    memory.gray_.reset(new (std::nothrow) std::byte[gray_bytes]);
    memory.bits_.reset(new (std::nothrow) std::byte[bit_bytes]);
    if (memory.gray_ && memory.bits_) return memory;
    return Unavailable("out of memory: a band takes " +
                       std::to_string(gray_bytes + bit_bytes) + " bytes");
  }
  BandMemory view() const { return {gray_.get(), bits_.get()}; }

 private:
  std::unique_ptr<std::byte[]> gray_;
  std::unique_ptr<std::byte[]> bits_;
};

// The states of a room: free → lent → submitted → (taken) free. Rooms are used
// in a ring, so three counters give the state of each.
class LocalSession : public Session {
 public:
  LocalSession(const ValidOrder& order, std::unique_ptr<Strips> strips,
               Pool* pool)
      : strips_(std::move(strips)),
        threads_(pool ? pool->threads() : 0),
        width_(order->page.width()),
        start_(order.above()),
        memory_(order->memory),
        on_ready_(order->on_ready),
        gray_bytes_per_row_(order.gray_bytes_per_row()),
        bit_bytes_per_row_(order.bit_bytes_per_row()),
        rooms_(RoomsFor(*order)),
        order_(order.bands(rooms_.size())) {
    if (pool) queue_ = std::make_unique<Pool::Queue>(*pool, order->job);
    free_memory_.reserve(rooms_.size());
  }
  ~LocalSession() override { is_cancelled_ = true; }

  Result<GrayRoom> Lend() override { return Keep(LendRoom()); }
  Result<void> Submit(int32_t rows, bool last) override {
    return Keep(SubmitBand(rows, last));
  }
  Result<Finished> Take() override { return Keep(TakeAnswer()); }
  bool Ready() override {
    return order_.in_flight() &&
           room(order_.taken()).rows_left.load(std::memory_order_acquire) == 0;
  }

 private:
  struct Room {
    BandMemory memory;
    int32_t rows = 0;
    int64_t first_row = 0;
    std::optional<Carry> below;
    std::atomic<int32_t> rows_left = 0;
  };
  // One being filled, one waiting, two shared by threads, one with the answer
  // on view. More would only touch more memory.
  static constexpr int kRooms = 5;
  static size_t RoomsFor(const PageOrder& order) {
    return static_cast<size_t>(std::max(kRooms, order.bands_in_flight + 1));
  }

  // Some strips of a band, and what they need of the job before.
  struct Job {
    Room* room;
    int32_t first_row;  // of the room
    int32_t rows;
    int32_t next_row;  // where this thread will probably go on
    std::shared_ptr<StripProgress> above;
    std::shared_ptr<StripProgress> own;
    // The state above, if the job before leaves none to continue from; that job
    // must end first.
    const Carry* restart;
  };

  Result<GrayRoom> LendRoom();
  Result<void> SubmitBand(int32_t rows, bool last);
  Result<Finished> TakeAnswer();

  // Keeps the first error: a session returns only that one.
  template <typename T>
  Result<T> Keep(Result<T> result) {
    if (error_) return *error_;
    if (!result.ok()) error_ = result.error();
    return result;
  }

  Room& room(uint64_t number) { return rooms_[number % rooms_.size()]; }
  Result<void> ProvideMemory(Room& room);
  Result<void> Begin(bool last);
  bool RunPure(Room& band);
  StripJob RowsOf(Room& band, int32_t first, int32_t rows) const;
  void EndRows(Room& band, int32_t rows);
  void Work();
  enum class When { kMeanwhile, kAtTheEnd };
  bool PassOn(When when);
  Job NextJob(std::function<void()> when_ahead);
  int ThreadsFor(const Room& band);
  int32_t RowsOfTask() const;
  void RunJob(const Job& job);
  void Starve();
  void Halftone(const Job& job);

  const std::unique_ptr<Strips> strips_;
  const int threads_;
  const int32_t width_;
  const Carry start_;
  const std::function<BandMemory()> memory_;
  const std::function<void()> on_ready_;
  const size_t gray_bytes_per_row_;
  const size_t bit_bytes_per_row_;

  std::vector<OwnMemory> own_memory_;
  // Of own_memory_. What was used last is used next: it is still in the caches,
  // and what is never used is never touched.
  std::vector<BandMemory> free_memory_;
  std::vector<Room> rooms_;
  BandOrder order_;
  std::optional<Error> error_;

  // The turn to begin the next job is with one task at most, waiting or
  // running, which passes it on. Without rows to begin no task has it.
  std::mutex mutex_;
  uint64_t bands_submitted_ = 0;  // those with rows
  bool is_page_whole_ = false;    // all its bands are submitted
  bool is_turn_taken_ = false;

  // Of the task that has the turn: where the next job begins, and the job
  // before.
  uint64_t next_band_ = 0;
  int32_t next_row_ = 0;
  std::shared_ptr<StripProgress> above_;
  const Carry* restart_ = &start_;

  std::atomic<bool> is_cancelled_ = false;
  std::atomic<bool> is_out_of_memory_ = false;
  // Destroyed first: waits for the running tasks.
  std::unique_ptr<Pool::Queue> queue_;
};

// For a band that has just been submitted. If the turn is taken, it will come
// to that band.
Result<void> LocalSession::Begin(bool last) {
  {
    std::lock_guard lock(mutex_);
    ++bands_submitted_;
    is_page_whole_ = last;
    if (std::exchange(is_turn_taken_, true)) return {};
  }
  if (RunPure(room(next_band_))) return {};
  if (!queue_) return Unavailable("there is gray on the page");
  queue_->Push([this] { Work(); });
  return {};
}

// Takes the turn of a band that has just been submitted. Rows that take only a
// look are done here, sooner than another thread could be woken; most of what
// is printed has no others. True if that is all of the band.
bool LocalSession::RunPure(Room& band) {
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
void LocalSession::Work() {
  for (bool is_passed_on = false; !is_passed_on;) {
    RunJob(NextJob([&] { is_passed_on = PassOn(When::kMeanwhile); }));
    if (!is_passed_on) is_passed_on = PassOn(When::kAtTheEnd);
  }
}

// False if there is no thread or no memory for that.
bool LocalSession::PassOn(When when) {
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

// The threads that are to share what is left of the band. If there are enough
// pages, one for each is best: a thread's own strips join without a gap.
int LocalSession::ThreadsFor(const Room& band) {
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
int32_t LocalSession::RowsOfTask() const {
  const int64_t strip = strips_->rows_per_strip();
  return static_cast<int32_t>(
      std::max(kPixelsOfTask / width_ / strip, int64_t{1}) * strip);
}

// One strip if threads share the band, else as many as a thread may do in a
// turn. Calls `when_ahead` when another thread may follow; not if that is at
// the end.
LocalSession::Job LocalSession::NextJob(std::function<void()> when_ahead) {
  Room& band = room(next_band_);
  const int threads = ThreadsFor(band);
  const int32_t strip = strips_->rows_per_strip();
  const int32_t left = band.rows - next_row_;
  const int32_t rows = std::min(threads > 1 ? strip : RowsOfTask(), left);
  Job job{
      .room = &band,
      .first_row = next_row_,
      .rows = rows,
      .next_row = static_cast<int32_t>(std::min(
          int64_t{next_row_} + int64_t{threads} * rows, int64_t{band.rows})),
      .above = std::move(above_),
      .own = nullptr,
      .restart = restart_};
  try {
    job.own = threads > 1 && rows == strip
                  ? std::make_shared<StripProgress>(
                        std::max(kMinLead, width_ / (threads + 1)),
                        std::move(when_ahead))
                  : std::make_shared<StripProgress>();
  } catch (const std::bad_alloc&) {
    Starve();
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

void LocalSession::Starve() {
  is_out_of_memory_ = true;
  is_cancelled_ = true;  // later jobs would continue from nothing
}

void LocalSession::RunJob(const Job& job) {
  Room& band = *job.room;
  try {
    if (!is_cancelled_) Halftone(job);
  } catch (const std::bad_alloc&) {
    Starve();
  }
  // A cancelled job may not have waited for the strip above, which may still
  // write to memory that the next job reads.
  if (is_cancelled_ && job.above) job.above->WaitFor(StripProgress::kAll);
  if (job.own) job.own->Publish(StripProgress::kAll);
  EndRows(band, job.rows);
}

void LocalSession::EndRows(Room& band, int32_t rows) {
  if (band.rows_left.fetch_sub(rows, std::memory_order_acq_rel) != rows) return;
  band.rows_left.notify_all();
  if (on_ready_) on_ready_();
}

// A job for some rows of a band, on its own.
StripJob LocalSession::RowsOf(Room& band, int32_t first, int32_t rows) const {
  StripJob job;
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

void LocalSession::Halftone(const Job& job) {
  Room& band = *job.room;
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

Result<void> LocalSession::ProvideMemory(Room& room) {
  if (memory_) {
    room.memory = memory_();
    return {};
  }
  if (free_memory_.empty()) {
    const auto rows = static_cast<size_t>(order_.rows_per_band());
    HALFTONED_TRY_ASSIGN(
        OwnMemory memory,
        OwnMemory::Make(gray_bytes_per_row_ * rows, bit_bytes_per_row_ * rows));
    free_memory_.push_back(memory.view());
    own_memory_.push_back(std::move(memory));
  }
  room.memory = free_memory_.back();
  free_memory_.pop_back();
  return {};
}

Result<GrayRoom> LocalSession::LendRoom() {
  if (!order_.CanLend()) return GrayRoom{};
  Room& next = room(order_.lent());
  HALFTONED_TRY(ProvideMemory(next));
  order_.Lend();
  return GrayRoom{next.memory.gray, gray_bytes_per_row_,
                  order_.rows_per_band()};
}

Result<void> LocalSession::SubmitBand(int32_t rows, bool last) {
  const int64_t first_row = order_.next_row();
  HALFTONED_TRY(order_.Submit(rows, last));
  Room& band = room(order_.submitted() - 1);
  band.rows = rows;
  band.first_row = first_row;
  if (rows > 0) {
    if (!band.below) band.below = start_;
    // Already now: the next band may start from it before this one is taken.
    band.below->set_next_row(order_.next_row());
    band.rows_left = rows;
    HALFTONED_TRY(Begin(last));
  } else {
    // The state below an empty band is that below the band before.
    band.rows_left = 0;
    band.below.reset();
  }
  return {};
}

Result<Finished> LocalSession::TakeAnswer() {
  HALFTONED_TRY(order_.Take());
  Room& band = room(order_.taken() - 1);
  for (int32_t left; (left = band.rows_left.load(std::memory_order_acquire));) {
    band.rows_left.wait(left, std::memory_order_acquire);
  }
  if (is_out_of_memory_) return Unavailable("out of memory for halftoning");
  // The answer before is no longer on view.
  if (!memory_ && order_.taken() > 1) {
    free_memory_.push_back(room(order_.taken() - 2).memory);
  }
  if (!band.below) {
    band.below = order_.taken() > 1 ? *room(order_.taken() - 2).below : start_;
  }
  return Finished{
      {band.memory.bits, bit_bytes_per_row_, band.rows, band.first_row},
      &*band.below};
}

}  // namespace

Result<std::unique_ptr<Session>> OpenLocalSession(const PageOrder& order,
                                                  const StripsMaker& make,
                                                  Pool* pool) {
  HALFTONED_TRY_ASSIGN(const ValidOrder valid, ValidOrder::Of(order));
  return std::unique_ptr<Session>(std::make_unique<LocalSession>(
      valid, make(order.page, order.recipe), pool));
}

}  // namespace halftoned
