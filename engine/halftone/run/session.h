// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Session halftones one page: it takes bands of gray and returns bands of
// bits. Whether the work is done in this process, on a GPU or behind a socket,
// the interface and the bits are the same.
//
//   lend ──▶ fill ──▶ submit ──▶ … ──▶ take
//
// Bands are submitted in the order in which they were lent, and each submitted
// band is answered by one Take, in order. For an algorithm that looks ahead, an
// answer may hold other rows than its band, or none; after the answer to the
// last band every row has been returned.
//
// A Session is used by one thread at a time; other threads may fill lent rooms.
// Destroying it cancels the page.
//
// Errors: kUnavailable means that this session has died for a reason that is
// not the page's fault, and that another session can continue from the last
// carry; kAskAgain means that another session of the same engine can. Any other
// error ends the page. After an error a session gives only that error.
//
// Memory: a lent room and the views of the last answer stay valid until the
// session is destroyed, even after errors. The gray of a submitted band stays
// unchanged until the band is answered, so that it can be given to another
// session. By then, the session has read it, even if some of its rows are not
// finished.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.h"
#include "halftone/page/band.h"
#include "halftone/page/carry.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned {

// Memory for one band, without padding: `rows_per_band` rows of gray, and
// Recipe::most_waiting_rows() more rows of bits.
struct BandMemory {
  std::byte* gray = nullptr;  // the session only reads it
  std::byte* bits = nullptr;
};

// How to open a page.
struct PageOrder {
  Page page;
  Recipe recipe;
  std::optional<Carry> carry;  // none: the start of a page
  int32_t rows_per_band = 0;   // rows of a room; 0: the session chooses
  int bands_in_flight = 0;     // minimum to allow; 0: the session chooses
  // Pages of the same job share its turns, and jobs of the same user share the
  // user's turns (turns.h). 0: a job of its own.
  uint64_t job = 0;

  // Optional: caller-owned memory for each band. Lend calls it for the next
  // band; the session may use the memory until the band is answered.
  std::function<BandMemory()> memory = nullptr;
  // Optional, for callers with many sessions: called on any thread whenever
  // Ready may have become true, and never after the session is destroyed.
  std::function<void()> on_ready = nullptr;
};

// Finished rows, and the carry below them.
struct Finished {
  BitBand bits;
  const Carry* carry;
};

class Session {
 public:
  virtual ~Session() = default;

  // Lends the room for the next band. If every room is lent or in flight, its
  // `rows` is 0: take an answer first. All rooms of a session have the same
  // number of rows. Never blocks. The room belongs to the caller until it is
  // submitted.
  virtual Result<GrayRoom> Lend() = 0;

  // Returns the oldest lent room with its first `rows` rows filled: 1 … the
  // rows lent, or 0 with `last` if the page ended before it. `last` ends the
  // page. Does not wait for the work.
  virtual Result<void> Submit(int32_t rows, bool last) = 0;

  // Waits for the answer to the oldest unanswered band. Precondition: there is
  // one. The views hold until the next Take.
  virtual Result<Finished> Take() = 0;

  // Whether Take has an answer and would not wait.
  virtual bool Ready() = 0;
};

}  // namespace halftoned
