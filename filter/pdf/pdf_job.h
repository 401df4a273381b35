// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job from a PDF document: by one renderer, or, where that gives the same
// pages, by several at a time, whose pages are written in their order. If that
// goes wrong between two pages, one renderer makes the document once more, and
// what has been written is left out: so the output is what one renderer gives,
// with its failures.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/machine_slots.h"
#include "filter/program.h"
#include "print/render/lane.h"
#include "print/render/page_shares.h"

namespace halftoned {

// What a job is made of, beside what every filter has.
struct PdfDocument {
  std::string path;
  LaneOrder order;
  // The file through which the jobs of a machine share the renderers beyond
  // their first; empty: they do not share.
  std::string slots_file;
};

class PdfJob {
 public:
  // All outlive it.
  PdfJob(const FilterJob& job, const PdfDocument& document,
         Renderers& renderers)
      : job_(job), document_(document), renderers_(renderers) {}

  Result<void> Print();

 private:
  // Takes a slot for each renderer but the first; returns for how many there
  // are slots.
  int TakeSlots(int renderers);

  // By one renderer, but the first `dropped` pages.
  Result<void> PrintWhole(PageInk ink, int64_t dropped);
  Result<void> PrintShared(const PageShares& shares);
  using Lanes = std::vector<std::unique_ptr<Lane>>;
  void EndLanes(Lanes& lanes);
  // Writes the next page of `lane`, if it has one: then `is_written` is true.
  Result<void> WritePage(Lane& lane, int64_t page, bool& is_written);

  const FilterJob& job_;
  const PdfDocument& document_;
  Renderers& renderers_;
  std::vector<MachineSlot> slots_;
};

}  // namespace halftoned
