// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/edges/crisp_session.h"

#include <cstring>
#include <string>
#include <utility>

namespace halftoned {

CrispSession::CrispSession(std::unique_ptr<Session> session, const Page& page,
                           const Recipe& recipe, TextEdges edges)
    : session_(std::move(session)),
      edges_(EdgeSnapper::Make(page, recipe, edges)),
      most_held_(MostUnfinished(edges)),
      row_bytes_(page.gray_bytes_per_row()),
      start_(Carry::AtStart(recipe, page)),
      held_(std::make_unique_for_overwrite<std::byte[]>(
          row_bytes_ * static_cast<size_t>(most_held_))),
      next_row_(start_.next_row()),
      carry_(&start_) {}

Result<GrayRoom> CrispSession::Lend() {
  if (!room_) {
    HALFTONED_TRY_ASSIGN(const GrayRoom room, session_->Lend());
    if (room.rows == 0) return room;
    room_ = room;
    for (int32_t i = 0; i < rows_held_; ++i) {
      std::memcpy(room.row(i), HeldRow(i), row_bytes_);
      edges_->Move(i, room.row(i));
    }
  }
  is_lent_ = true;
  return GrayRoom{room_->row(rows_held_), room_->bytes_per_row,
                  room_->rows - most_held_};
}

void CrispSession::AddRows(const GrayRoom& room, int32_t rows, bool last) {
  if (!edges_) return;
  for (int32_t i = 0; i < rows; ++i) edges_->Add(room.row(rows_held_ + i));
  if (last) edges_->AddEnd();
}

// The rows from `first` on are not finished.
void CrispSession::Hold(const GrayRoom& room, int32_t first) {
  for (int32_t i = 0; i < rows_held_; ++i) {
    std::memcpy(HeldRow(i), room.row(first + i), row_bytes_);
    edges_->Move(i, HeldRow(i));
  }
}

Result<void> CrispSession::Submit(int32_t rows, bool last) {
  if (!std::exchange(is_lent_, false)) {
    return Bug("submitted a band that was not lent");
  }
  if (is_ended_) return Bug("submitted a band after the last");
  const int32_t most = room_->rows - most_held_;
  if (rows < 0 || rows > most || (rows == 0 && !last)) {
    return Bug("submitted " + std::to_string(rows) + " of " +
               std::to_string(most) + " rows");
  }
  const GrayRoom room = *room_;
  AddRows(room, rows, last);
  const int32_t filled = rows_held_ + rows;
  is_ended_ = last;
  rows_held_ = edges_ ? edges_->unfinished() : 0;
  const int32_t finished = filled - rows_held_;
  owes_empty_.push_back(finished == 0 && !last);
  if (owes_empty_.back()) return {};  // the rows stay where they are
  room_.reset();
  Hold(room, finished);
  return session_->Submit(finished, last);
}

Result<Finished> CrispSession::Take() {
  const bool is_empty = !owes_empty_.empty() && owes_empty_.front();
  if (!owes_empty_.empty()) owes_empty_.pop_front();
  if (is_empty) {
    BitBand none;
    none.first_row = next_row_;
    return Finished{none, carry_};
  }
  HALFTONED_TRY_ASSIGN(const Finished finished, session_->Take());
  next_row_ = finished.bits.first_row + finished.bits.rows;
  carry_ = finished.carry;
  return finished;
}

bool CrispSession::Ready() {
  if (!owes_empty_.empty() && owes_empty_.front()) return true;
  return session_->Ready();
}

}  // namespace halftoned
