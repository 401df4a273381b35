// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/pdf_job.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <variant>

#include "filter/job.h"
#include "print/page/page_halftoner.h"
#include "print/page/page_output.h"
#include "print/process/machine.h"
#include "print/raster/raster_encoder.h"
#include "print/raster/raster_input.h"
#include "print/render/page_queue.h"

namespace halftoned {
namespace {

// Encodes a renderer's pages on its own thread, and puts them into its queue:
// the thread that writes all pages would encode PWG raster no faster than a
// driver. Headers are left to that thread, which knows what precedes the first.
class EncodedPages : public PageOutput {
 public:
  // `queue` outlives it.
  EncodedPages(RasterFormat format, PageQueue& queue);

  Result<void> BeginPage(const PageHeader& header) override;
  Result<void> WriteRows(std::span<const std::byte> rows) override;

 private:
  PageQueue& queue_;
  std::vector<std::byte> bytes_;  // since the last call
  RasterEncoder encoder_;
  size_t row_bytes_ = 1;  // before they are encoded
};

EncodedPages::EncodedPages(RasterFormat format, PageQueue& queue)
    : queue_(queue), encoder_(format, [this](std::span<const std::byte> bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        return Result<void>();
      }) {}

Result<void> EncodedPages::BeginPage(const PageHeader& header) {
  HALFTONED_TRY(encoder_.BeginPage(header));
  bytes_.clear();
  row_bytes_ = header.cupsBytesPerLine;
  return queue_.BeginPage(header);
}

Result<void> EncodedPages::WriteRows(std::span<const std::byte> rows) {
  HALFTONED_TRY(encoder_.WriteRows(rows));
  const auto count = static_cast<int64_t>(rows.size() / row_bytes_);
  return queue_.PutRows({std::exchange(bytes_, {}), count});
}

// The pages of a lane: raster, which is halftoned and encoded for the printer.
class RasterPages : public LanePages {
 public:
  // Both outlive it.
  RasterPages(const Settings& settings, const Engine& engine)
      : settings_(settings), halftoner_(settings, engine) {}

  Result<void> Print(const PageShares::List& list, PolledInput& drawn,
                     PageQueue& queue) override;

 private:
  const Settings& settings_;
  PageHalftoner halftoner_;
};

Result<void> RasterPages::Print(const PageShares::List& list,
                                PolledInput& drawn, PageQueue& queue) {
  HALFTONED_TRY_ASSIGN(RasterInput raster, RasterInput::Open(drawn));
  EncodedPages pages(settings_.format, queue);
  for (const int64_t page : list.pages) {
    HALFTONED_TRY_ASSIGN(const auto header, raster.NextHeader());
    // Ghostscript stops at a page that it does not find, so missing pages are
    // always the last ones.
    if (!header) return Unavailable("the renderer omitted pages");
    // To turn back sides, Ghostscript counts only the pages that it draws.
    if (NumberIn(header->Duplex) != 0 &&
        settings_.back_side != BackSide::kNormal) {
      return Unavailable("back sides are rotated or mirrored");
    }
    HALFTONED_TRY(halftoner_.Print(raster, drawn, *header, page, pages));
  }
  HALFTONED_TRY_ASSIGN(const auto more, raster.NextHeader());
  if (more) return Unavailable("the renderer added a page");
  return {};
}

// Memory for waiting pages, in bytes. waiting: in MiB; 0: depends on the
// machine.
size_t BytesFor(int waiting) {
  if (waiting == 0) waiting = WaitingMemoryFor(MemoryOfMachine());
  return static_cast<size_t>(waiting) << 20;
}

}  // namespace

Result<void> PdfJob::Print() {
  const auto pages =
      reader_.Read(document_.path, job_.settings.paper,
                   !document_.order.for_black.empty(), job_.stop);
  const PageInk ink =
      pages.ok() && pages->is_black() ? PageInk::kBlack : PageInk::kGray;
  const size_t known = pages.ok() ? pages->pages.size() : 0;
  const auto whole = [&](const std::string& why) {
    job_.messages.Debug(
        "one renderer makes all pages" +
        std::string(ink == PageInk::kBlack ? ", in one bit" : "") + ": " + why);
    return PrintWhole(ink, known, 0);
  };
  if (job_.settings.parallel_pages == 1) return whole("as configured");
  // Given a list of pages, Ghostscript does not turn back sides.
  if (job_.settings.may_turn_backs) {
    return whole("back sides are rotated or mirrored");
  }
  if (!pages.ok()) return whole(pages.error().message);
  if (!pages->why_whole.empty()) return whole(pages->why_whole);
  const int wanted = job_.settings.parallel_pages;
  const int most = TakeSlots(PageShares::UsefulFor(
      pages->pages,
      wanted > 0 ? wanted : RenderersFor(Processors(), MemoryOfMachine())));
  const std::string count = std::to_string(known);
  if (most < 2) return whole("there are " + count + " of them");
  const PageShares shares(pages->pages,
                          PageShares::BestFor(pages->pages, most));
  const int for_bits = shares.black_renderers();
  job_.messages.Debug(
      std::to_string(shares.renderers()) + " renderers make " + count +
      " pages" +
      (for_bits > 0 ? "; renderers for one bit: " + std::to_string(for_bits)
                    : ""));
  return PrintShared(shares);
}

int PdfJob::TakeSlots(int renderers) {
  const int machine = job_.settings.machine_threads;
  const int most = machine > 0 ? machine : ProcessorsOfMachine();
  if (document_.slots_file.empty()) return std::min(renderers, most);
  int count = 1;
  for (; count < std::min(renderers, most); ++count) {
    auto slot = MachineSlot::Open(document_.slots_file, most - 1);
    if (!slot.ok()) break;
    const auto taken = slot->TryTake();
    if (!taken.ok() || !*taken) break;
    slots_.push_back(std::move(*slot));
  }
  return count;
}

Result<void> PdfJob::PrintWhole(PageInk ink, size_t pages, int64_t dropped) {
  HALFTONED_TRY_ASSIGN(
      Renderers::Running renderer,
      StartDrawing(renderers_, document_.order, ink, "", pages));
  const Descriptor pipe = renderer->TakePages();
  HALFTONED_TRY_ASSIGN(PolledInput input,
                       PolledInput::Make(pipe.get(), job_.stop));
  const Result<void> printed =
      Job(job_.settings, job_.engine, job_.printer).Print(input, dropped);
  // How the renderer ended says more than that there are no more pages.
  HALFTONED_TRY(renderer->EndOf(pipe.get()));
  return printed;
}

Result<void> PdfJob::PrintShared(const PageShares& shares) {
  const auto known = static_cast<size_t>(shares.pages());
  const size_t bytes = BytesFor(job_.settings.parallel_memory);
  const size_t most_bytes = bytes / static_cast<size_t>(shares.renderers());
  PageMemory memory(bytes);
  Lanes lanes;
  try {
    for (int i = 0; i < shares.renderers(); ++i) {
      lanes.push_back(std::make_unique<Lane>(
          renderers_, document_.order,
          std::make_unique<RasterPages>(job_.settings, job_.engine),
          shares.ListsOf(i), memory, most_bytes));
    }
  } catch (const std::system_error&) {
    EndLanes(lanes);
    return PrintWhole(PageInk::kGray, known, 0);
  }
  for (int64_t page = 1; page <= shares.pages(); ++page) {
    Lane& lane = *lanes[static_cast<size_t>(shares.RendererOf(page))];
    bool is_written = false;
    const Result<void> written = WritePage(lane, page, is_written);
    if (is_written) continue;
    if (!written.ok()) {
      renderers_.End();
      return written.error();
    }
    const auto end = std::get<Result<void>>(lane.queue().Take());
    if (job_.stop.requested()) return IoError("the job was canceled");
    job_.messages.Debug("from page " + std::to_string(page) +
                        " one renderer makes all pages: " +
                        (end.ok() ? "one is missing" : end.error().message));
    EndLanes(lanes);
    slots_.clear();
    return PrintWhole(PageInk::kGray, known, page - 1);
  }
  for (const auto& lane : lanes) {
    HALFTONED_TRY(std::get<Result<void>>(lane->queue().Take()));
  }
  return {};
}

void PdfJob::EndLanes(Lanes& lanes) {
  renderers_.End();
  lanes.clear();
  renderers_.Resume();
}

Result<void> PdfJob::WritePage(Lane& lane, int64_t page, bool& is_written) {
  if (!lane.queue().IsPageNext()) return {};
  const auto header = std::get<PageHeader>(lane.queue().Take());
  HALFTONED_TRY(job_.printer.BeginPage(header));
  for (int64_t rows = 0; rows < header.cupsHeight;) {
    const PageQueue::Item item = lane.queue().Take();
    if (const auto* end = std::get_if<Result<void>>(&item)) {
      if (job_.stop.requested()) return IoError("the job was canceled");
      return BadInput(
          "page " + std::to_string(page) + ": " +
          (end->ok() ? "it has too few rows" : end->error().message));
    }
    const auto& encoded = std::get<PageQueue::Rows>(item);
    HALFTONED_TRY(job_.printer.WriteEncoded(encoded.bytes, encoded.count));
    rows += encoded.count;
  }
  is_written = true;
  return {};
}

}  // namespace halftoned
