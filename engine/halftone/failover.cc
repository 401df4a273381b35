// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each band that the caller has lent belongs to one of the session at work. A
// band whose room is of a session that has died is copied when it is submitted
// to the one that took over; until then its room stays where it is, since
// somebody may still be filling it. So dead sessions are kept, with the memory
// of their rooms, until the page is over.

#include "halftone/failover.h"

#include <cstring>
#include <deque>
#include <optional>
#include <utility>

namespace halftoned {
namespace {

class FailoverSession : public Session {
 public:
  FailoverSession(PageOrder order, std::vector<const Engine*> engines,
                  FailoverEngine::OnMove on_move)
      : order_(std::move(order)),
        engines_(std::move(engines)),
        on_move_(std::move(on_move)),
        next_row_(order_.page.first_row()) {}

  // Opens the first session that can be had.
  Result<void> Begin() { return OpenNext({}); }

  Result<GrayRoom> Lend() override;
  Result<void> Submit(int32_t rows, bool last) override;
  Result<Finished> Take() override;
  bool Ready() override;

 private:
  struct Band {
    GrayRoom given;     // to the caller
    GrayRoom room;      // of the session at work; no rows: not lent yet
    int32_t rows = -1;  // not submitted by the caller yet
    bool last = false;
    bool passed_on = false;
  };

  // Opens the page where it stands at the next engine that does; `died_of`
  // says why it moves, if it does.
  Result<void> OpenNext(std::optional<Error> died_of);
  // Does `step` until it succeeds, or fails for good, on whatever session.
  template <typename Step>
  auto Insist(Step step) -> decltype(step());
  // Lends rooms for the bands that have none of the session at work, as far as
  // it goes.
  Result<void> LendRooms();
  // Submits what the caller has, as far as there are rooms.
  Result<void> PassOn();
  Result<GrayRoom> LendRoom();
  Result<Finished> TakeAnswer();

  PageOrder order_;
  const std::vector<const Engine*> engines_;
  const FailoverEngine::OnMove on_move_;
  size_t next_engine_ = 0;
  std::unique_ptr<Session> session_;
  std::vector<std::unique_ptr<Session>> dead_;
  std::deque<Band> bands_;  // lent to the caller, and without an answer
  int64_t next_row_;        // the first without an answer
  std::optional<Error> error_;
};

Result<void> FailoverSession::OpenNext(std::optional<Error> died_of) {
  if (session_) dead_.push_back(std::move(session_));
  for (Band& band : bands_) {
    band.room = {};
    band.passed_on = false;
  }
  std::string_view from =
      next_engine_ > 0 ? engines_[next_engine_ - 1]->name() : "";
  std::optional<Error> why = std::move(died_of);
  while (next_engine_ < engines_.size()) {
    const Engine& engine = *engines_[next_engine_++];
    if (why) on_move_({from, engine.name(), next_row_, *why});
    from = engine.name();
    order_.page = order_.page.StartingAt(next_row_);
    Result<std::unique_ptr<Session>> opened = engine.Open(order_);
    if (opened.ok()) {
      session_ = std::move(*opened);
      return {};
    }
    why = opened.error();
    if (why->code != ErrorCode::kUnavailable) break;
  }
  return *why;
}

template <typename Step>
auto FailoverSession::Insist(Step step) -> decltype(step()) {
  if (error_) return *error_;
  for (;;) {
    auto result = step();
    if (result.ok()) return result;
    if (result.error().code == ErrorCode::kUnavailable &&
        next_engine_ < engines_.size()) {
      const Result<void> moved = OpenNext(result.error());
      if (moved.ok()) continue;
      error_ = moved.error();
    } else {
      error_ = result.error();
    }
    return *error_;
  }
}

Result<void> FailoverSession::LendRooms() {
  for (Band& band : bands_) {
    if (band.room.rows > 0) continue;
    HALFTONED_TRY_ASSIGN(band.room, session_->Lend());
    if (band.room.rows == 0) return {};
  }
  return {};
}

Result<void> FailoverSession::PassOn() {
  HALFTONED_TRY(LendRooms());
  for (Band& band : bands_) {
    if (band.passed_on) continue;
    if (band.rows < 0 || band.room.rows == 0) return {};
    if (band.room.bytes != band.given.bytes) {
      const size_t bytes = order_.page.gray_bytes_per_row();
      for (int32_t i = 0; i < band.rows; ++i) {
        std::memcpy(band.room.row(i), band.given.row(i), bytes);
      }
    }
    HALFTONED_TRY(session_->Submit(band.rows, band.last));
    band.passed_on = true;
  }
  return {};
}

Result<GrayRoom> FailoverSession::LendRoom() {
  HALFTONED_TRY(LendRooms());
  // Rooms of the session at work go to its bands in their order.
  if (!bands_.empty() && bands_.back().room.rows == 0) return GrayRoom{};
  HALFTONED_TRY_ASSIGN(const GrayRoom room, session_->Lend());
  if (room.rows == 0) return room;
  // All rooms of a page have the same rows, whoever lends them.
  order_.rows_per_band = room.rows;
  bands_.push_back({room, room});
  return room;
}

Result<GrayRoom> FailoverSession::Lend() {
  return Insist([this] { return LendRoom(); });
}

Result<void> FailoverSession::Submit(int32_t rows, bool last) {
  Band* band = nullptr;
  for (Band& each : bands_) {
    if (each.rows >= 0) continue;
    band = &each;
    break;
  }
  if (!band) return Bug("submitted a band that was not lent");
  band->rows = rows;
  band->last = last;
  return Insist([this] { return PassOn(); });
}

Result<Finished> FailoverSession::TakeAnswer() {
  HALFTONED_TRY(PassOn());
  HALFTONED_TRY_ASSIGN(const Finished finished, session_->Take());
  return finished;
}

Result<Finished> FailoverSession::Take() {
  auto finished = Insist([this] { return TakeAnswer(); });
  if (!finished.ok()) return finished;
  bands_.pop_front();
  next_row_ = finished->bits.first_row + finished->bits.rows;
  order_.carry = *finished->carry;
  return finished;
}

bool FailoverSession::Ready() { return !error_ && session_->Ready(); }

}  // namespace

Result<void> FailoverEngine::Probe() const {
  Result<void> probed;
  for (const Engine* engine : engines_) {
    probed = engine->Probe();
    if (probed.ok()) break;
  }
  return probed;
}

Result<void> FailoverEngine::Serves(const Recipe& recipe) const {
  Result<void> serves;
  for (const Engine* engine : engines_) {
    serves = engine->Serves(recipe);
    if (serves.ok()) break;
  }
  return serves;
}

Result<std::unique_ptr<Session>> FailoverEngine::Open(
    const PageOrder& order) const {
  auto session = std::make_unique<FailoverSession>(order, engines_, on_move_);
  HALFTONED_TRY(session->Begin());
  return std::unique_ptr<Session>(std::move(session));
}

}  // namespace halftoned
