// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each band that the caller holds corresponds to a band of the current session.
// If its room belongs to an earlier session, it is copied when it is submitted;
// until then the room stays where it is, since the caller may still be filling
// it. So an earlier session is kept, with the memory of its rooms, until the
// bands that it has lent are answered.
//
// Answers of a recipe that looks ahead lag behind, so some rows of answered
// bands may still wait for their bits. These rows are kept here, and a new
// session gets them first, as separate bands. Its answers to these bands have
// no rows, because the recipe and the number of submitted rows determine which
// rows are answered. These answers are dropped.

#include "halftone/run/failover.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <new>
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

  // Opens the first session that an engine provides.
  Result<void> Begin();

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

  // Rows of answered bands that have no answer themselves, from next_row_ on.
  struct Waiting {
    std::byte* row(int32_t i) const {
      return memory.get() + static_cast<size_t>(i) * bytes_per_row;
    }
    // Drops `answered` rows at the front, and adds those of `from`.
    Result<void> Move(int32_t answered, const GrayRoom& from);

    std::unique_ptr<std::byte[]> memory;
    size_t bytes_per_row = 0;
    int32_t rows = 0;
    int32_t most = 0;
  };

  // A session that was left, and the number of the first band that it has not
  // lent to the caller.
  struct Left {
    std::unique_ptr<Session> session;
    uint64_t lent;
  };

  // Opens the page at its current row, with the current engine or a later one.
  Result<void> OpenSession();
  // The same with the current engine only.
  Result<void> TryToOpen();
  // Submits the waiting rows to the new session.
  Result<void> Replay();
  // Leaves the session for `error`, and opens another.
  Result<void> MoveOn(const Error& error);
  // Decides which engine is asked after `error`. If there is none, returns the
  // error with which the page ends.
  Result<void> ChooseAfter(const Error& error);
  // Repeats `step`, with new sessions if necessary, until it succeeds or fails
  // permanently.
  template <typename Step>
  auto Insist(Step step) -> decltype(step());
  // Gets rooms of the current session for bands without one, as long as the
  // session lends rooms.
  Result<void> LendRooms();
  // Submits the caller's bands for which there are rooms.
  Result<void> PassOn();
  Result<void> PassOn(Band& band);
  Result<GrayRoom> LendRoom();
  Result<Finished> TakeAnswer();
  // Keeps the rows of the oldest band that wait after its answer.
  Result<void> KeepRows(int64_t end_row);

  PageOrder order_;
  const std::vector<const Engine*> engines_;
  const FailoverEngine::OnMove on_move_;
  size_t engine_ = 0;  // the current one
  // Since the last answer or move:
  int asked_again_ = 0;
  bool was_asked_after_death_ = false;
  std::unique_ptr<Session> session_;
  std::deque<Left> left_;
  std::deque<Band> bands_;  // lent to the caller, without an answer
  uint64_t answered_ = 0;   // bands before those
  int64_t next_row_;        // the first without an answer
  Waiting waiting_;
  std::optional<Error> error_;
};

Result<void> FailoverSession::Waiting::Move(int32_t answered,
                                            const GrayRoom& from) {
  const int32_t dropped = std::min(answered, rows);
  rows -= dropped;
  if (rows > 0) {
    std::memmove(memory.get(), row(dropped),
                 static_cast<size_t>(rows) * bytes_per_row);
  }
  const int32_t first = answered - dropped;
  const int32_t added = from.rows - first;
  if (added < 0 || added > most - rows) {
    return Bug("a session lags further behind than its recipe");
  }
  for (int32_t i = 0; i < added; ++i) {
    std::memcpy(row(rows + i), from.row(first + i), bytes_per_row);
  }
  rows += added;
  return {};
}

Result<void> FailoverSession::Begin() {
  waiting_.bytes_per_row = order_.page.gray_bytes_per_row();
  waiting_.most = order_.recipe.most_waiting_rows();
  if (waiting_.most > 0) {
    const size_t bytes =
        waiting_.bytes_per_row * static_cast<size_t>(waiting_.most);
    waiting_.memory.reset(new (std::nothrow) std::byte[bytes]);
    if (!waiting_.memory) return Unavailable("out of memory for a page's rows");
  }
  return OpenSession();
}

Result<void> FailoverSession::OpenSession() {
  for (;;) {
    const Result<void> opened = TryToOpen();
    if (opened.ok()) return opened;
    HALFTONED_TRY(ChooseAfter(opened.error()));
  }
}

Result<void> FailoverSession::TryToOpen() {
  order_.page = order_.page.StartingAt(next_row_);
  HALFTONED_TRY_ASSIGN(session_, engines_[engine_]->Open(order_));
  return Replay();
}

Result<void> FailoverSession::Replay() {
  const auto drop = [this]() -> Result<void> {
    HALFTONED_TRY_ASSIGN(const Finished finished, session_->Take());
    if (finished.bits.rows == 0) return {};
    return Bug("a session answers rows that must wait");
  };
  int32_t rows = 0;
  int in_flight = 0;
  while (rows < waiting_.rows) {
    HALFTONED_TRY_ASSIGN(const GrayRoom room, session_->Lend());
    if (room.rows == 0) {
      if (in_flight == 0) return Bug("a session lends no room");
      HALFTONED_TRY(drop());
      --in_flight;
      continue;
    }
    const int32_t now = std::min(room.rows, waiting_.rows - rows);
    for (int32_t i = 0; i < now; ++i) {
      std::memcpy(room.row(i), waiting_.row(rows + i), waiting_.bytes_per_row);
    }
    HALFTONED_TRY(session_->Submit(now, false));
    ++in_flight;
    rows += now;
  }
  for (; in_flight > 0; --in_flight) HALFTONED_TRY(drop());
  return {};
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
    // The part of the engine that evicted the page may be gone by now.
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
    if (band.rows < 0 || band.room.rows == 0) break;
    HALFTONED_TRY(PassOn(band));
    band.passed_on = true;
  }
  return {};
}

Result<void> FailoverSession::PassOn(Band& band) {
  if (band.room.bytes != band.given.bytes) {
    const size_t bytes = order_.page.gray_bytes_per_row();
    for (int32_t i = 0; i < band.rows; ++i) {
      std::memcpy(band.room.row(i), band.given.row(i), bytes);
    }
  }
  return session_->Submit(band.rows, band.last);
}

// Bands get rooms of the current session in order.
Result<GrayRoom> FailoverSession::LendRoom() {
  HALFTONED_TRY(PassOn());
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
  return session_->Take();
}

Result<void> FailoverSession::KeepRows(int64_t end_row) {
  GrayRoom rows = bands_.front().given;
  rows.rows = bands_.front().rows;
  return waiting_.Move(static_cast<int32_t>(end_row - next_row_), rows);
}

Result<Finished> FailoverSession::Take() {
  while (!left_.empty() && left_.front().lent <= answered_) left_.pop_front();
  auto finished = Insist([this] { return TakeAnswer(); });
  if (!finished.ok()) return finished;
  const int64_t end_row = finished->bits.first_row + finished->bits.rows;
  const Result<void> kept = KeepRows(end_row);
  if (!kept.ok()) {
    error_ = kept.error();
    return *error_;
  }
  bands_.pop_front();
  ++answered_;
  asked_again_ = 0;
  was_asked_after_death_ = false;
  next_row_ = end_row;
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
