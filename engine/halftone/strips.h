// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page on its way through a kernel, strip by strip from top to bottom, so
// that several threads may work on it: each strip follows the one above at
// some distance. What a strip hands to the next stays inside.

#ifndef HALFTONED_HALFTONE_STRIPS_H_
#define HALFTONED_HALFTONE_STRIPS_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "halftone/band.h"
#include "halftone/carry.h"
#include "halftone/kernel.h"
#include "halftone/page.h"
#include "halftone/progress.h"
#include "halftone/recipe.h"

namespace halftoned {

// Some consecutive rows: any number, or with `own` one strip's at most.
struct StripJob {
  GrayBand gray;
  BitRoom bits;
  // The strip that this thread will probably be given next, which may be
  // fetched into its cache; none: 0 rows.
  GrayBand next;
  // Of the strip above, if another thread may still be on it.
  const Progress* above = nullptr;
  // For the strip below, if another thread may follow. Published as columns
  // are finished; that all is done, its rows too, is the caller's to publish.
  Progress* own = nullptr;
  // The state below the last row goes here; may be null.
  Carry* below = nullptr;
  // Polled: when it turns true the rest is left undone.
  const std::atomic<bool>* is_cancelled = nullptr;
};

class Strips {
 public:
  virtual ~Strips() = default;

  // Rows of a strip. Only a job of just so many rows, or a multiple, may be
  // followed by another without Restart.
  virtual int32_t rows_per_strip() const = 0;

  // Takes the state above the next job from `carry`. No job is at work.
  virtual void Restart(const Carry& carry) = 0;

  // Works on the calling thread; others may be on strips above and below.
  virtual void Run(const StripJob& job) = 0;
};

// A kernel that works on whole bands, as strips of any height: no two at the
// same time.
std::unique_ptr<Strips> StripsOfBands(const Page& page, const Recipe& recipe,
                                      Kernel kernel);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_STRIPS_H_
