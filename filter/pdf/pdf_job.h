// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job from a PDF document: by one renderer, or, where that gives the same
// pages, by several at a time, whose pages are written in their order. If that
// goes wrong between two pages, one renderer makes the document once more, and
// what has been written is left out: so the output is what one renderer gives,
// with its failures.

#ifndef HALFTONED_FILTER_PDF_PDF_JOB_H_
#define HALFTONED_FILTER_PDF_PDF_JOB_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/machine_slots.h"
#include "filter/pdf/lane.h"
#include "filter/pdf/renderer.h"
#include "filter/program.h"
#include "print/render/page_shares.h"

namespace halftoned {

class PdfJob {
 public:
  // Both outlive it. slots_file: the file through which the jobs of a machine
  // share the renderers beyond their first; empty: they do not share.
  PdfJob(const FilterJob& job, const RendererOrder& order,
         std::string slots_file)
      : job_(job), order_(order), slots_file_(std::move(slots_file)) {}

  Result<void> Print();

 private:
  // Takes a slot for each renderer but the first; returns for how many there
  // are slots.
  int TakeSlots(int renderers);

  // By one renderer, but the first `dropped` pages.
  Result<void> PrintWhole(PageInk ink, int64_t dropped);
  Result<void> PrintShared(const PageShares& shares);
  // Writes the next page of `lane`, if it has one: then `is_written` is true.
  Result<void> WritePage(Lane& lane, int64_t page, bool& is_written);

  const FilterJob& job_;
  const RendererOrder& order_;
  const std::string slots_file_;
  std::vector<MachineSlot> slots_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PDF_PDF_JOB_H_
