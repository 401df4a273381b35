// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/pdf_job.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

#include "filter/job.h"
#include "print/process/processors.h"
#include "print/render/pdf_pages.h"

namespace halftoned {
namespace {

// Each renderer keeps two copies of the document while it works.
constexpr uint64_t kCopiesEach = 2;

// How many renderers may keep the document in half of the room that is left.
int RoomFor(const RendererOrder& order) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(order.document, error);
  if (error) return 1;
  const auto space = std::filesystem::space(order.folder, error);
  if (error) return 1;
  return static_cast<int>(std::clamp<uint64_t>(
      space.available / 2 / (kCopiesEach * (size + 1)), 1, 1 << 20));
}

}  // namespace

Result<void> PdfJob::Print() {
  const auto pages =
      PagesOf(order_.document, job_.settings.paper, !order_.black_ppd.empty());
  const PageInk ink =
      pages.ok() && pages->is_black() ? PageInk::kBlack : PageInk::kGray;
  const auto whole = [this, ink](const std::string& why) {
    job_.messages.Debug(
        "one renderer makes all pages" +
        std::string(ink == PageInk::kBlack ? ", in one bit" : "") + ": " + why);
    return PrintWhole(ink, 0);
  };
  if (job_.settings.parallel_pages == 1) return whole("as configured");
  if (!order_.takes_lists) return whole("the renderer takes no list");
  // Ghostscript does not turn them if it is given a list of pages.
  if (job_.settings.may_turn_backs) return whole("backs are turned");
  if (!pages.ok()) return whole(pages.error().message);
  if (!pages->why_whole.empty()) return whole(pages->why_whole);
  const int wanted = job_.settings.parallel_pages;
  const int most = TakeSlots(PageShares::UsefulFor(
      pages->pages,
      std::min(wanted > 0 ? wanted : Processors(), RoomFor(order_))));
  const std::string count = std::to_string(pages->pages.size());
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
  if (slots_file_.empty()) return std::min(renderers, most);
  int count = 1;
  for (; count < std::min(renderers, most); ++count) {
    auto slot = MachineSlot::Open(slots_file_, most - 1);
    if (!slot.ok()) break;
    const auto taken = slot->TryTake();
    if (!taken.ok() || !*taken) break;
    slots_.push_back(std::move(*slot));
  }
  return count;
}

Result<void> PdfJob::PrintWhole(PageInk ink, int64_t dropped) {
  HALFTONED_TRY_ASSIGN(Renderer renderer, Renderer::Start(order_, "", ink));
  HALFTONED_TRY_ASSIGN(PolledInput input,
                       PolledInput::Make(renderer.raster(), job_.stop));
  Job job(job_.settings, job_.engine, job_.printer);
  HALFTONED_TRY(job.Print(input, dropped));
  return renderer.process().Finish(job_.stop);
}

Result<void> PdfJob::PrintShared(const PageShares& shares) {
  const size_t memory = size_t{1024} * 1024 *
                        static_cast<size_t>(job_.settings.parallel_memory) /
                        static_cast<size_t>(shares.renderers());
  std::vector<std::unique_ptr<Lane>> lanes;
  try {
    for (int i = 0; i < shares.renderers(); ++i) {
      lanes.push_back(
          std::make_unique<Lane>(job_, order_, shares.ListsOf(i), memory));
    }
  } catch (const std::system_error&) {
    lanes.clear();
    return PrintWhole(PageInk::kGray, 0);
  }
  for (int64_t page = 1; page <= shares.pages(); ++page) {
    Lane& lane = *lanes[static_cast<size_t>(shares.RendererOf(page))];
    bool is_written = false;
    const Result<void> written = WritePage(lane, page, is_written);
    if (is_written) continue;
    if (!written.ok()) return written.error();
    const auto end = std::get<Result<void>>(lane.queue().Take());
    if (job_.stop.requested()) return IoError("the job was cancelled");
    job_.messages.Debug("from page " + std::to_string(page) +
                        " one renderer makes all pages: " +
                        (end.ok() ? "one is missing" : end.error().message));
    lanes.clear();
    slots_.clear();
    return PrintWhole(PageInk::kGray, page - 1);
  }
  for (const auto& lane : lanes) {
    HALFTONED_TRY(std::get<Result<void>>(lane->queue().Take()));
  }
  return {};
}

Result<void> PdfJob::WritePage(Lane& lane, int64_t page, bool& is_written) {
  if (!lane.queue().IsPageNext()) return {};
  const auto header = std::get<PageHeader>(lane.queue().Take());
  HALFTONED_TRY(job_.printer.BeginPage(header));
  for (int64_t rows = 0; rows < header.cupsHeight;) {
    const PageQueue::Item item = lane.queue().Take();
    if (const auto* end = std::get_if<Result<void>>(&item)) {
      if (job_.stop.requested()) return IoError("the job was cancelled");
      return OnPage(page,
                    end->ok() ? Bug("it has too few rows") : end->error());
    }
    const auto& encoded = std::get<PageQueue::Rows>(item);
    HALFTONED_TRY(job_.printer.WriteEncoded(encoded.bytes, encoded.count));
    rows += encoded.count;
  }
  is_written = true;
  return {};
}

}  // namespace halftoned
