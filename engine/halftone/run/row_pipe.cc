// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/run/row_pipe.h"

#include <cstring>

namespace halftoned {

// Whether there is a room to fill.
Result<bool> RowPipe::HasRoom() {
  if (room_.rows == 0) {
    HALFTONED_TRY_ASSIGN(room_, session_.Lend());
  }
  return room_.rows > 0;
}

Result<void> RowPipe::Prepare() {
  if (is_ended_) return Bug("a row was put after the end of the page");
  HALFTONED_TRY_ASSIGN(const bool has_room, HasRoom());
  if (has_room) return {};
  return Bug("a row was put before all finished rows were fetched");
}

Result<void> RowPipe::Put(const void* gray) {
  HALFTONED_TRY(Prepare());
  std::memcpy(room_.row(filled_), gray, gray_bytes_);
  if (++filled_ < room_.rows) return {};
  HALFTONED_TRY(session_.Submit(filled_, false));
  ++in_flight_;
  filled_ = 0;
  room_ = {};
  return {};
}

Result<void> RowPipe::End() {
  if (is_ended_) return Bug("the page has already ended");
  HALFTONED_TRY(Prepare());
  HALFTONED_TRY(session_.Submit(filled_, true));
  ++in_flight_;
  is_ended_ = true;
  return {};
}

Result<void> RowPipe::Take() {
  HALFTONED_TRY_ASSIGN(const Finished answer, session_.Take());
  --in_flight_;
  finished_ = answer.bits;
  next_finished_ = 0;
  return {};
}

// Whether to take an answer, and to wait for it if necessary.
Result<bool> RowPipe::IsAnswerDue() {
  if (in_flight_ == 0 || is_ended_ || session_.Ready()) return in_flight_ > 0;
  HALFTONED_TRY_ASSIGN(const bool has_room, HasRoom());
  return !has_room;
}

Result<const std::byte*> RowPipe::Get() {
  while (!has_finished_row()) {
    HALFTONED_TRY_ASSIGN(const bool is_answer_due, IsAnswerDue());
    if (!is_answer_due) return static_cast<const std::byte*>(nullptr);
    HALFTONED_TRY(Take());
  }
  return finished_.row(next_finished_++);
}

}  // namespace halftoned
