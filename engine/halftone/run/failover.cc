// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each band that the caller holds corresponds to a band of the current session.
// If its room belongs to an earlier session, it is copied when it is submitted;
// until then the room stays where it is, since the caller may still be filling
// it. So an earlier session is kept, with the memory of its rooms, until the
// bands that it has lent are answered.

#include "halftone/run/failover.h"

#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace halftoned {
namespace {

// How often an engine is asked again between two answers.
constexpr int kMostAsked = 4;

class FailoverSession : public Session {
 public:
  FailoverSession(PageOrder order, std::vector<const Engine*> engines,
                  FailoverEngine::OnMove on_move)
      : order_(std::move(order)),
        engines_(std::move(engines)),
        on_move_(std::move(on_move)),
        next_row_(order_.page.first_row()) {}

  // Opens the first session that can be had.
  Result<void> Begin() { return OpenSession(); }

  Result<GrayRoom> Lend() override;
  Result<void> Submit(int32_t rows, bool last) override;
  Result<Finished> Take() override;
  bool Ready() override;

 private:
  struct Band {
    GrayRoom given;     // as lent to the caller
    GrayRoom room;      // of the current session; no rows: not lent yet
    int32_t rows = -1;  // -1: the caller has not submitted it yet
    bool last = false;
    bool passed_on = false;
  };

  // A session that was left, and the number of the first band that it has not
  // lent to the caller.
  struct Left {
    std::unique_ptr<Session> session;
    uint64_t lent;
  };

  // Opens the page where it stands, at the engine at work or one behind it.
  Result<void> OpenSession();
  // Leaves the session for `error`, and opens another.
  Result<void> MoveOn(const Error& error);
  // Decides which engine is asked after `error`. If none is, gives the error
  // that the page ends with.
  Result<void> ChooseAfter(const Error& error);
  // Does `step` until it succeeds, or fails for good, on whatever session.
  template <typename Step>
  auto Insist(Step step) -> decltype(step());
  // Gets rooms of the current session for the bands that have none, as far as
  // it lends them.
  Result<void> LendRooms();
  // Submits the caller's bands as far as there are rooms.
  Result<void> PassOn();
  Result<GrayRoom> LendRoom();
  Result<Finished> TakeAnswer();

  PageOrder order_;
  const std::vector<const Engine*> engines_;
  const FailoverEngine::OnMove on_move_;
  size_t engine_ = 0;  // at work
  // Since the last answer or move:
  int asked_again_ = 0;
  bool was_asked_after_death_ = false;
  std::unique_ptr<Session> session_;
  std::deque<Left> left_;
  std::deque<Band> bands_;  // lent to the caller, and without an answer
  uint64_t answered_ = 0;   // bands
  int64_t next_row_;        // the first without an answer
  std::optional<Error> error_;
};

Result<void> FailoverSession::OpenSession() {
  for (;;) {
    order_.page = order_.page.StartingAt(next_row_);
    auto opened = engines_[engine_]->Open(order_);
    if (opened.ok()) {
      session_ = std::move(*opened);
      return {};
    }
    HALFTONED_TRY(ChooseAfter(opened.error()));
  }
}

Result<void> FailoverSession::MoveOn(const Error& error) {
  HALFTONED_TRY(ChooseAfter(error));
  left_.push_back({std::move(session_), answered_ + bands_.size()});
  for (Band& band : bands_) {
    band.room = {};
    band.passed_on = false;
  }
  return OpenSession();
}

Result<void> FailoverSession::ChooseAfter(const Error& error) {
  Error why = error;
  if (why.code == ErrorCode::kAskAgain) {
    if (asked_again_++ < kMostAsked) return {};
    why = Unavailable("asked " + std::to_string(kMostAsked) +
                      " times again: " + why.message);
  } else if (why.code == ErrorCode::kUnavailable && asked_again_ > 0 &&
             !std::exchange(was_asked_after_death_, true)) {
    // The part of the engine that let the page go may have left since.
    return {};
  }
  if (why.code != ErrorCode::kUnavailable || engine_ + 1 == engines_.size()) {
    return why;
  }
  const Engine& from = *engines_[engine_++];
  asked_again_ = 0;
  was_asked_after_death_ = false;
  if (on_move_) {
    on_move_({from.name(), engines_[engine_]->name(), next_row_, why});
  }
  return {};
}

template <typename Step>
auto FailoverSession::Insist(Step step) -> decltype(step()) {
  if (error_) return *error_;
  for (;;) {
    auto result = step();
    if (result.ok()) return result;
    const Result<void> moved = MoveOn(result.error());
    if (moved.ok()) continue;
    error_ = moved.error();
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
  // Bands get rooms of the current session in order.
  if (!bands_.empty() && bands_.back().room.rows == 0) return GrayRoom{};
  HALFTONED_TRY_ASSIGN(const GrayRoom room, session_->Lend());
  if (room.rows == 0) return room;
  // Rooms of a page have the same number of rows in every session.
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
  while (!left_.empty() && left_.front().lent <= answered_) left_.pop_front();
  auto finished = Insist([this] { return TakeAnswer(); });
  if (!finished.ok()) return finished;
  bands_.pop_front();
  ++answered_;
  asked_again_ = 0;
  was_asked_after_death_ = false;
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
