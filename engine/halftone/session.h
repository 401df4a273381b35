// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Session halftones one page: it takes bands of gray and gives bands of
// bits. Whether the work is done here, on a GPU or behind a socket, the caller
// sees this interface, and the same bits.
//
//   lend ──▶ fill ──▶ submit ──▶ … ──▶ take
//
// Lend and Submit are a pair, and so are Submit and Take: bands are submitted
// in the order in which they were lent, and each submitted band is answered by
// one Take, in order. An answer may hold other rows than the band that it
// answers, none included, where an algorithm looks ahead; after the answer to
// the last band every row has been given.
//
// A Session is used by one thread at a time; lent rooms may be filled by
// others. Destroying it cancels the page.
//
// Errors: kUnavailable says that this session has died of something that is
// not the page's fault, and that another may go on from the last carry; any
// other error ends the page. After an error a session gives only that error.
//
// Memory: a room that was lent, and the views of the last answer, stay valid
// until the session is destroyed, whatever errors it has given. The gray of a
// submitted band stays unchanged until its last row has been answered, so that
// it can be given to another session.

#ifndef HALFTONED_HALFTONE_SESSION_H_
#define HALFTONED_HALFTONE_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.h"
#include "halftone/band.h"
#include "halftone/carry.h"
#include "halftone/page.h"
#include "halftone/recipe.h"

namespace halftoned {

// Where a band lies, both its gray and its bits: as many rows as were ordered,
// one after another without padding.
struct BandMemory {
  std::byte* gray = nullptr;  // nothing of the session writes to it
  std::byte* bits = nullptr;
};

// What a page needs to be opened.
struct PageOrder {
  Page page;
  Recipe recipe;
  std::optional<Carry> carry;  // none: the start of a page
  int32_t rows_per_band = 0;   // rows of a room; 0: what suits the page
  int bands_in_flight = 0;     // at least so many may be; 0: what suits

  // For who has the rows in memory of his own: called by Lend, for the next
  // band. The memory is the session's until the band is answered.
  std::function<BandMemory()> memory = nullptr;
  // For who serves many sessions: called, from any thread, whenever Ready may
  // have become true. Not called any more once the session is destroyed.
  std::function<void()> on_ready = nullptr;
};

// Finished rows, and the state below them.
struct Finished {
  BitBand bits;
  const Carry* carry;
};

class Session {
 public:
  virtual ~Session() = default;

  // Lends the room for the next band; rows is 0 when every room is lent or in
  // flight: take an answer first. All rooms of a session have the same rows,
  // those that were ordered. Never blocks. The room belongs to the caller until
  // it is submitted, or for ever if that never happens.
  virtual Result<GrayRoom> Lend() = 0;

  // Takes back the room that was lent first, with its first `rows` rows
  // filled: 1 … those lent, or 0 to say that the page ended before it. `last`
  // ends the page. Does not wait for the work.
  virtual Result<void> Submit(int32_t rows, bool last) = 0;

  // The answer to the oldest submitted band that has none yet; waits for it.
  // Precondition: there is one. The views hold until the next Take.
  virtual Result<Finished> Take() = 0;

  // Whether there is a band for Take to answer, and it would not wait.
  virtual bool Ready() = 0;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_SESSION_H_
