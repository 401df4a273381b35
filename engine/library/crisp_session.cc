// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "library/crisp_session.h"

#include <cstring>
#include <string>
#include <utility>

namespace halftoned {

CrispSession::CrispSession(std::unique_ptr<Session> session, const Page& page,
                           const Recipe& recipe)
    : session_(std::move(session)),
      edges_(page, recipe.curve()),
      start_(Carry::AtStart(recipe, page)),
      ahead_(page.gray_bytes_per_row()) {}

Result<GrayRoom> CrispSession::Lend() {
  if (!room_) {
    HALFTONED_TRY_ASSIGN(const GrayRoom room, session_->Lend());
    if (room.rows == 0) return room;
    room_ = room;
    if (is_row_held_) {
      std::memcpy(room.row(0), ahead_.data(), ahead_.size());
      edges_.Move(room.row(0));
    }
  }
  is_lent_ = true;
  return GrayRoom{room_->row(is_row_held_ ? 1 : 0), room_->bytes_per_row,
                  room_->rows - 1};
}

Result<void> CrispSession::Submit(int32_t rows, bool last) {
  if (!std::exchange(is_lent_, false)) {
    return Bug("submitted a band that was not lent");
  }
  if (is_ended_) return Bug("submitted a band after the last");
  if (rows < 0 || rows >= room_->rows || (rows == 0 && !last)) {
    return Bug("submitted " + std::to_string(rows) + " rows of " +
               std::to_string(room_->rows - 1));
  }
  const GrayRoom room = *room_;
  int32_t filled = is_row_held_ ? 1 : 0;
  if (edges_.IsNeeded()) {
    for (int32_t i = 0; i < rows; ++i) edges_.Add(room.row(filled + i));
  }
  filled += rows;
  is_ended_ = last;
  if (last) {
    if (edges_.IsNeeded() && filled > 0) edges_.AddEnd();
    room_.reset();
    is_row_held_ = false;
    return session_->Submit(filled, true);
  }
  const bool was_row_held = std::exchange(is_row_held_, true);
  if (filled == 1) {  // the page's first row stays where it is
    owes_empty_answer_ = !was_row_held;
    return {};
  }
  room_.reset();
  std::memcpy(ahead_.data(), room.row(filled - 1), ahead_.size());
  edges_.Move(ahead_.data());
  return session_->Submit(filled - 1, false);
}

Result<Finished> CrispSession::Take() {
  if (std::exchange(owes_empty_answer_, false)) {
    BitBand none;
    none.first_row = start_.next_row();
    return Finished{none, &start_};
  }
  return session_->Take();
}

}  // namespace halftoned
