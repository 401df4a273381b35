// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job from a PDF document. One renderer draws it or, if the pages are then
// the same, several at a time, whose pages are written in order. If one of
// several fails between two pages, a single renderer draws the document again,
// and the pages that have been written are left out. So the output, and any
// error, are those of a single renderer.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/machine_slots.h"
#include "filter/program.h"
#include "print/render/lane.h"
#include "print/render/page_shares.h"
#include "print/render/pages_reader.h"

namespace halftoned {

// What a job needs, in addition to what every filter has.
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
  PdfJob(const FilterJob& job, const PdfDocument& document, PagesReader& reader,
         Renderers& renderers)
      : job_(job),
        document_(document),
        reader_(reader),
        renderers_(renderers) {}

  Result<void> Print();

 private:
  // Takes a slot for each renderer except the first; returns the number of
  // renderers that have slots.
  int TakeSlots(int renderers);

  // Prints with one renderer, without the first `dropped` of the pages. pages:
  // 0 if their number is unknown.
  Result<void> PrintWhole(PageInk ink, size_t pages, int64_t dropped);
  Result<void> PrintShared(const PageShares& shares);
  using Lanes = std::vector<std::unique_ptr<Lane>>;
  void EndLanes(Lanes& lanes);
  // Writes the next page of `lane`, if it has one, and sets `is_written` to
  // true.
  Result<void> WritePage(Lane& lane, int64_t page, bool& is_written);

  const FilterJob& job_;
  const PdfDocument& document_;
  PagesReader& reader_;
  Renderers& renderers_;
  std::vector<MachineSlot> slots_;
};

}  // namespace halftoned
