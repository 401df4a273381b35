// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/local_session.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
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

// Uninitialised bytes, so that a short page touches little of a tall room.
class Memory {
 public:
  // Allocates `bytes` at the first call; later calls ask for the same number.
  Result<void> Provide(size_t bytes) {
    if (!bytes_) bytes_.reset(new (std::nothrow) std::byte[bytes]);
    if (bytes_) return {};
    return Unavailable("out of memory: a band takes " + std::to_string(bytes) +
                       " bytes");
  }
  std::byte* data() const { return bytes_.get(); }

 private:
  std::unique_ptr<std::byte[]> bytes_;
};

// The states of a room: free → lent → submitted → (taken) free. Rooms are used
// in a ring, so three counters give the state of each.
class LocalSession : public Session {
 public:
  LocalSession(const ValidOrder& order, std::unique_ptr<Strips> strips,
               Pool& pool)
      : strips_(std::move(strips)),
        threads_(pool.threads()),
        rows_per_job_(threads_ > 1 && order->page.width() >= kMinSharedWidth
                          ? strips_->rows_per_strip()
                          : Page::kMaxRowsPerBand),
        start_(order.above()),
        memory_(order->memory),
        on_ready_(order->on_ready),
        gray_bytes_per_row_(order.gray_bytes_per_row()),
        bit_bytes_per_row_(order.bit_bytes_per_row()),
        rooms_(RoomsFor(*order)),
        order_(order.bands(rooms_.size())),
        queue_(pool) {}
  ~LocalSession() override { is_cancelled_ = true; }

  Result<GrayRoom> Lend() override { return Keep(LendRoom()); }
  Result<void> Submit(int32_t rows, bool last) override {
    return Keep(SubmitBand(rows, last));
  }
  Result<Finished> Take() override { return Keep(TakeAnswer()); }
  bool Ready() override {
    return order_.in_flight() &&
           room(order_.taken()).jobs_left.load(std::memory_order_acquire) == 0;
  }

 private:
  struct Room {
    Memory own_gray;
    Memory own_bits;
    BandMemory memory;
    int32_t rows = 0;
    int64_t first_row = 0;
    std::optional<Carry> below;
    std::atomic<int32_t> jobs_left = 0;
  };
  // One being filled, one waiting, two shared by threads, one with the answer
  // on view. More would only touch more memory.
  static constexpr int kRooms = 5;
  static size_t RoomsFor(const PageOrder& order) {
    return static_cast<size_t>(std::max(kRooms, order.bands_in_flight + 1));
  }

  // A job, and what it needs of the one before.
  struct Job {
    Room* room;
    int32_t first_row;  // of the room
    int32_t rows;
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
  void PushJobs(Room& band);
  void RunJob(const Job& job);
  void Halftone(const Job& job);

  const std::unique_ptr<Strips> strips_;
  const int threads_;
  const int32_t rows_per_job_;
  const Carry start_;
  const std::function<BandMemory()> memory_;
  const std::function<void()> on_ready_;
  const size_t gray_bytes_per_row_;
  const size_t bit_bytes_per_row_;

  std::vector<Room> rooms_;
  BandOrder order_;
  std::optional<Error> error_;

  // Progress of the job pushed last.
  std::shared_ptr<StripProgress> above_;
  const Carry* restart_ = &start_;

  std::atomic<bool> is_cancelled_ = false;
  std::atomic<bool> is_out_of_memory_ = false;
  Pool::Queue queue_;  // destroyed first: waits for the running tasks
};

// Cuts the band into jobs, one strip each if threads are to share the page.
void LocalSession::PushJobs(Room& band) {
  const int32_t jobs = (band.rows + rows_per_job_ - 1) / rows_per_job_;
  band.jobs_left = jobs;
  for (int32_t first = 0; first < band.rows; first += rows_per_job_) {
    const int32_t rows = std::min(rows_per_job_, band.rows - first);
    auto own = std::make_shared<StripProgress>();
    queue_.Push([this, job = Job{&band, first, rows, above_, own, restart_}] {
      RunJob(job);
    });
    above_ = std::move(own);
    restart_ = rows == strips_->rows_per_strip() ? nullptr : &*band.below;
  }
}

// Runs on a thread of the pool, where an exception would end the program.
void LocalSession::RunJob(const Job& job) {
  Room& band = *job.room;
  try {
    Halftone(job);
  } catch (const std::bad_alloc&) {
    is_out_of_memory_ = true;
    is_cancelled_ = true;  // later jobs would continue from nothing
  }
  // A cancelled job may not have waited for the strip above, which may still
  // write to memory that the next job reads.
  if (is_cancelled_ && job.above) job.above->WaitFor(StripProgress::kAll);
  job.own->Publish(StripProgress::kAll);
  if (band.jobs_left.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    band.jobs_left.notify_all();
    if (on_ready_) on_ready_();
  }
}

void LocalSession::Halftone(const Job& job) {
  Room& band = *job.room;
  const StripProgress* above = job.above.get();
  if (job.restart) {
    if (above) above->WaitFor(StripProgress::kAll);
    strips_->Restart(*job.restart);
    above = nullptr;
  }
  const bool is_last = job.first_row + job.rows == band.rows;
  const auto gray_rows = [&](int32_t first, int32_t rows) {
    return GrayBand{
        band.memory.gray + static_cast<size_t>(first) * gray_bytes_per_row_,
        gray_bytes_per_row_, rows};
  };
  // Threads alternate between strips.
  const auto next_row = static_cast<int32_t>(
      std::min(int64_t{job.first_row} + int64_t{threads_} * rows_per_job_,
               int64_t{band.rows}));
  strips_->Run({
      .gray = gray_rows(job.first_row, job.rows),
      .bits = {band.memory.bits +
                   static_cast<size_t>(job.first_row) * bit_bytes_per_row_,
               bit_bytes_per_row_, job.rows},
      .next =
          gray_rows(next_row, std::min(rows_per_job_, band.rows - next_row)),
      .above = above,
      .own = job.rows <= strips_->rows_per_strip() ? job.own.get() : nullptr,
      .below = is_last ? &*band.below : nullptr,
      .is_cancelled = &is_cancelled_,
  });
}

Result<void> LocalSession::ProvideMemory(Room& room) {
  if (memory_) {
    room.memory = memory_();
    return {};
  }
  const auto rows = static_cast<size_t>(order_.rows_per_band());
  HALFTONED_TRY(room.own_gray.Provide(gray_bytes_per_row_ * rows));
  HALFTONED_TRY(room.own_bits.Provide(bit_bytes_per_row_ * rows));
  room.memory = {room.own_gray.data(), room.own_bits.data()};
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
    PushJobs(band);
  } else {
    // The state below an empty band is that below the band before.
    band.jobs_left = 0;
    band.below.reset();
  }
  return {};
}

Result<Finished> LocalSession::TakeAnswer() {
  HALFTONED_TRY(order_.Take());
  Room& band = room(order_.taken() - 1);
  for (int32_t left; (left = band.jobs_left.load(std::memory_order_acquire));) {
    band.jobs_left.wait(left, std::memory_order_acquire);
  }
  if (is_out_of_memory_) return Unavailable("out of memory for halftoning");
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
                                                  Pool& pool) {
  HALFTONED_TRY_ASSIGN(const ValidOrder valid, ValidOrder::Of(order));
  return std::unique_ptr<Session>(std::make_unique<LocalSession>(
      valid, make(order.page, order.recipe), pool));
}

}  // namespace halftoned
