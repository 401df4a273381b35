// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/local_session.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "halftone/cpu/lent_memory.h"
#include "halftone/cpu/strip_work.h"
#include "halftone/run/valid_order.h"

namespace halftoned {
namespace {

// The states of a room: free → lent → submitted → (taken) free. Rooms are used
// in a ring, so three counters give the state of each.
class LocalSession : public Session {
 public:
  LocalSession(const ValidOrder& order, std::unique_ptr<Strips> strips,
               Pool* pool)
      : start_(order.above()),
        gray_bytes_per_row_(order.gray_bytes_per_row()),
        bit_bytes_per_row_(order.bit_bytes_per_row()),
        rooms_(RoomsFor(*order)),
        memory_(order, bit_bytes_per_row_, rooms_.size()),
        order_(order.bands(rooms_.size())),
        work_(order, start_, rooms_, std::move(strips), pool) {}

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
  using Room = StripWork::Band;
  // One being filled, one waiting, two shared by threads, one with the answer
  // on view. More would only touch more memory.
  static constexpr int kRooms = 5;
  static size_t RoomsFor(const PageOrder& order) {
    return static_cast<size_t>(std::max(kRooms, order.bands_in_flight + 1));
  }

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

  const Carry start_;
  const size_t gray_bytes_per_row_;
  const size_t bit_bytes_per_row_;
  std::vector<Room> rooms_;
  LentMemory memory_;
  BandOrder order_;
  std::optional<Error> error_;
  // Destroyed first: waits for the running tasks.
  StripWork work_;
};

Result<GrayRoom> LocalSession::LendRoom() {
  if (!order_.CanLend()) return GrayRoom{};
  Room& next = room(order_.lent());
  HALFTONED_TRY_ASSIGN(next.memory, memory_.Take());
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
    // Set now, because the next band may start from it before this one is
    // taken.
    band.below->set_next_row(order_.next_row());
    band.rows_left = rows;
    HALFTONED_TRY(work_.Begin(last));
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
  if (work_.is_out_of_memory())
    return Unavailable("out of memory for halftoning");
  // The answer before is no longer on view.
  if (order_.taken() > 1) memory_.GiveBack(room(order_.taken() - 2).memory);
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
