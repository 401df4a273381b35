// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each band that the caller holds corresponds to a band of the current session.
// If its room belongs to an earlier session, it is copied when it is submitted;
// until then the room stays where it is, since the caller may still be filling
// it. So an earlier session is kept, with the memory of its rooms, until the
// bands that it has lent are answered, to their last row.
//
// Answers of a recipe that looks ahead lag behind. A new session gets the bands
// that the caller has answers to, too, as far as they have rows without one.
// Its answers to these have no rows, because what is answered follows from the
// recipe and from the rows submitted; they are dropped.

#include "halftone/run/failover.h"

#include <algorithm>
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
        next_row_(order_.page.first_row()),
        end_row_(next_row_) {}

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
    int64_t end_row = 0;
    bool last = false;
    bool passed_on = false;
    bool is_answered = false;  // to the caller
    bool is_taken = false;     // of the current session
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
  Result<void> PassOn(Band& band);
  // The first band that the current session has not answered; null: none.
  Band* FirstInFlight();
  // Drops answers that the caller has had: those that are ready, or all.
  Result<void> DropAnswers(bool wait);
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
  std::deque<Band> bands_;  // lent to the caller, with rows without an answer
  uint64_t released_ = 0;   // bands before those
  int64_t next_row_;        // the first without an answer
  int64_t end_row_;         // the first that has not been submitted
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
  left_.push_back({std::move(session_), released_ + bands_.size()});
  for (Band& band : bands_) {
    band.room = {};
    band.passed_on = false;
    band.is_taken = false;
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
  for (bool is_any_passed_on = true; is_any_passed_on;) {
    is_any_passed_on = false;
    HALFTONED_TRY(LendRooms());
    for (Band& band : bands_) {
      if (band.passed_on) continue;
      if (band.rows < 0 || band.room.rows == 0) break;
      HALFTONED_TRY(PassOn(band));
      band.passed_on = true;
      is_any_passed_on = true;
    }
    HALFTONED_TRY(DropAnswers(false));
  }
  return {};
}

// The rows of a band that have no answer.
Result<void> FailoverSession::PassOn(Band& band) {
  const auto rows = static_cast<int32_t>(
      std::min<int64_t>(band.rows, band.end_row - order_.page.first_row()));
  const int32_t first = band.rows - rows;
  if (band.room.row(0) != band.given.row(first)) {
    const size_t bytes = order_.page.gray_bytes_per_row();
    for (int32_t i = 0; i < rows; ++i) {
      std::memcpy(band.room.row(i), band.given.row(first + i), bytes);
    }
  }
  return session_->Submit(rows, band.last);
}

FailoverSession::Band* FailoverSession::FirstInFlight() {
  for (Band& band : bands_) {
    if (!band.is_taken) return band.passed_on ? &band : nullptr;
  }
  return nullptr;
}

Result<void> FailoverSession::DropAnswers(bool wait) {
  for (Band* band = FirstInFlight(); band && band->is_answered;
       band = FirstInFlight()) {
    if (!wait && !session_->Ready()) return {};
    HALFTONED_TRY(session_->Take());
    band->is_taken = true;
  }
  return {};
}

// Bands get rooms of the current session in order.
Result<GrayRoom> FailoverSession::LendRoom() {
  HALFTONED_TRY(PassOn());
  while (!bands_.empty() && bands_.back().room.rows == 0) {
    // Unless the caller has answers to take, those without rows are in the way.
    const Band* const first = FirstInFlight();
    if (!first || !first->is_answered) return GrayRoom{};
    HALFTONED_TRY(DropAnswers(true));
    HALFTONED_TRY(PassOn());
  }
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
  end_row_ += rows;
  band->rows = rows;
  band->end_row = end_row_;
  band->last = last;
  return Insist([this] { return PassOn(); });
}

Result<Finished> FailoverSession::TakeAnswer() {
  for (;;) {
    HALFTONED_TRY(PassOn());
    Band* const band = FirstInFlight();
    if (!band || !band->is_answered) break;
    HALFTONED_TRY(DropAnswers(true));
  }
  HALFTONED_TRY_ASSIGN(const Finished finished, session_->Take());
  return finished;
}

Result<Finished> FailoverSession::Take() {
  while (!left_.empty() && left_.front().lent <= released_) left_.pop_front();
  auto finished = Insist([this] { return TakeAnswer(); });
  if (!finished.ok()) return finished;
  Band& band = *FirstInFlight();
  band.is_taken = true;
  band.is_answered = true;
  asked_again_ = 0;
  was_asked_after_death_ = false;
  next_row_ = finished->bits.first_row + finished->bits.rows;
  order_.carry = *finished->carry;
  while (!bands_.empty() && bands_.front().is_answered &&
         bands_.front().end_row <= next_row_) {
    bands_.pop_front();
    ++released_;
  }
  return finished;
}

bool FailoverSession::Ready() {
  if (error_) return false;
  // An error comes again with the next call that can return it.
  if (!DropAnswers(false).ok()) return true;
  const Band* const band = FirstInFlight();
  return session_->Ready() && !(band && band->is_answered);
}

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
