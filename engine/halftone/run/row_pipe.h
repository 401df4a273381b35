// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session for callers that have one row at a time: rows in, rows out.

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "halftone/page/band.h"
#include "halftone/run/session.h"

namespace halftoned {

class RowPipe {
 public:
  // `session` outlives this, and nothing else uses it. gray_bytes: bytes of a
  // gray row.
  RowPipe(Session& session, size_t gray_bytes)
      : session_(session), gray_bytes_(gray_bytes) {}

  // Copies the next row of the page. Precondition of Put and End: Get has
  // returned null since the last Put.
  Result<void> Put(const void* gray);
  Result<void> End();

  // The next finished row, or null. Waits for a row only if there is no room
  // for another gray row, or after End. After End, null means that no row is
  // left. The row is valid until the next call.
  Result<const std::byte*> Get();

 private:
  Result<bool> HasRoom();
  Result<void> Prepare();
  Result<void> Take();
  Result<bool> IsAnswerDue();
  bool has_finished_row() const { return next_finished_ < finished_.rows; }

  Session& session_;
  const size_t gray_bytes_;
  GrayRoom room_;  // lent if it has rows
  int32_t filled_ = 0;
  int in_flight_ = 0;
  bool is_ended_ = false;
  BitBand finished_;
  int32_t next_finished_ = 0;  // of finished_
};

}  // namespace halftoned
