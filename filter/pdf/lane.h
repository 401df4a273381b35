// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One renderer's share of a job: a thread that starts the renderer, halftones
// and encodes its pages, and puts them into a queue until it is their turn.

#ifndef HALFTONED_FILTER_PDF_LANE_H_
#define HALFTONED_FILTER_PDF_LANE_H_

#include <mutex>
#include <thread>
#include <vector>

#include "filter/pdf/encoded_pages.h"
#include "filter/pdf/renderer.h"
#include "filter/program.h"
#include "print/page/page_halftoner.h"
#include "print/render/page_queue.h"
#include "print/render/page_shares.h"

namespace halftoned {

class Lane {
 public:
  // `job` and `order` outlive it. most_bytes: of pages that wait. Throws
  // std::system_error if the system cannot start a thread.
  Lane(const FilterJob& job, const RendererOrder& order,
       std::vector<PageShares::List> lists, size_t most_bytes);
  // Ends the renderer, if it has not ended.
  ~Lane();

  // The end that follows the pages is an error if there are too few or too many
  // of them, or if the renderer failed.
  PageQueue& queue() { return queue_; }

 private:
  void Work();
  Result<void> Print();
  Result<void> PrintList(const PageShares::List& list);
  Result<void> PrintPages(const PageShares::List& list, Renderer& renderer);
  // Makes `renderer`, which may be null, the one that the destructor ends.
  Result<void> SetRenderer(Renderer* renderer);

  const FilterJob& job_;
  const RendererOrder& order_;
  const std::vector<PageShares::List> lists_;
  PageHalftoner halftoner_;
  PageQueue queue_;
  EncodedPages pages_;
  std::mutex mutex_;
  Renderer* renderer_ = nullptr;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PDF_LANE_H_
