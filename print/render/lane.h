// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One renderer's share of a document: a thread that lets Ghostscript draw
// pages, halftones them, and puts them into a queue until it is their turn.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "print/process/polled_io.h"
#include "print/render/page_queue.h"
#include "print/render/page_shares.h"
#include "print/render/renderers.h"

namespace halftoned {

// What the lanes of a job share.
struct LaneOrder {
  GhostscriptOrder gray;
  GhostscriptOrder black;  // for pages of black and white, in one bit
  std::string for_black;   // a program to run for those
  std::string first;       // a program to run before that, for all pages
};

// What to do with pages; each lane has its own.
class LanePages {
 public:
  virtual ~LanePages() = default;
  // Reads exactly the list's pages from `drawn`, and puts them into `queue`.
  virtual Result<void> Print(const PageShares::List& list, PolledInput& drawn,
                             PageQueue& queue) = 0;
};

class Lane {
 public:
  // `renderers`, `order` and `memory` outlive it. most_bytes: of the memory,
  // for waiting pages. Throws std::system_error if the system cannot start a
  // thread.
  Lane(Renderers& renderers, const LaneOrder& order,
       std::unique_ptr<LanePages> pages, std::vector<PageShares::List> lists,
       PageMemory& memory, size_t most_bytes);
  // Its renderer ends with the queue, which then accepts nothing more.
  ~Lane();

  // The last item is the end: an error if there are too few or too many pages,
  // or if a renderer failed.
  PageQueue& queue() { return queue_; }

 private:
  void Work();
  Result<void> Print();
  // An error if pages are missing. `ended`: how the renderer ended.
  Result<void> PrintList(const PageShares::List& list, Result<void>& ended);

  Renderers& renderers_;
  const LaneOrder& order_;
  const std::unique_ptr<LanePages> pages_;
  const std::vector<PageShares::List> lists_;
  PageQueue queue_;
  std::thread thread_;
};

// Starts a renderer that draws the pages of `list`, or all pages if it is
// empty. pages: their number, which limits its time; 0: unknown.
Result<Renderers::Running> StartDrawing(Renderers& renderers,
                                        const LaneOrder& order, PageInk ink,
                                        const std::string& list, size_t pages);

}  // namespace halftoned
