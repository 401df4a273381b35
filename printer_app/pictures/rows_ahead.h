// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a sheet, made on a separate thread while the rows before them are
// halftoned and printed.

#pragma once

#include <cstdint>
#include <thread>

#include "base/result.h"
#include "print/render/page_queue.h"
#include "printer_app/pictures/placed_rows.h"

namespace halftoned {

class RowsAhead {
 public:
  // `rows` outlives it, and nothing else uses it. width, count: of the sheet.
  // Throws std::system_error if the system cannot start a thread.
  RowsAhead(PlacedRows& rows, int64_t width, int64_t count);
  ~RowsAhead();

  // The next row, valid until the next call. Called for no more than there are.
  Result<const uint8_t*> Next();

 private:
  void Work();
  Result<void> ReadAll();

  PlacedRows& rows_;
  const size_t width_;
  const int64_t count_;
  PageQueue queue_;
  PageQueue::Rows batch_;  // of it, row `next_` is the next one
  int64_t next_ = 0;
  std::thread thread_;
};

}  // namespace halftoned
