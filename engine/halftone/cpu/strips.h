// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page halftoned strip by strip, from top to bottom, so that several threads
// may work on it: each strip follows the one above at some distance. The state
// that strips hand to each other stays inside.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "halftone/cpu/kernel.h"
#include "halftone/cpu/strip_progress.h"
#include "halftone/page/band.h"
#include "halftone/page/carry.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned {

// Consecutive rows: any number, or at most one strip if `own` is set.
struct StripJob {
  int64_t first_row = 0;  // of the page
  GrayBand gray;
  BitRoom bits;
  // The strip that this thread will probably get next, to prefetch; none: 0
  // rows.
  GrayBand next;
  // Progress of the strip above, if another thread may still work on it.
  const StripProgress* above = nullptr;
  // Progress of this strip, if another thread may follow on the strip below.
  // Run publishes columns as they are finished; the caller publishes the end.
  StripProgress* own = nullptr;
  // Receives the state below the last row; may be null.
  Carry* below = nullptr;
  // Polled: once it is true the rest is skipped.
  const std::atomic<bool>* is_cancelled = nullptr;
};

class Strips {
 public:
  virtual ~Strips() = default;

  // Rows of a strip. A job may follow another without Restart only if the
  // earlier one had a multiple of this many rows.
  virtual int32_t rows_per_strip() const = 0;

  // Whether a strip can follow the one above while that one is being made.
  virtual bool can_overlap() const = 0;

  // Takes the state above the next job from `carry`. Precondition: no job runs.
  virtual void Restart(const Carry& carry) = 0;

  // Works on the calling thread; others may work on the strips above and below.
  virtual void Run(const StripJob& job) = 0;

  // Halftones the first strips of a job that have no gray pixels; returns the
  // number of their rows. Any job may follow. Uses only the bands and `below`
  // of the job. Precondition: no job runs.
  virtual int32_t RunPure(const StripJob& /*job*/) { return 0; }
};

// Adapts a kernel of whole bands: strips of any height, one at a time.
std::unique_ptr<Strips> StripsOfBands(const Page& page, const Recipe& recipe,
                                      Kernel kernel);

}  // namespace halftoned
