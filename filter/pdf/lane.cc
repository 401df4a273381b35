// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/lane.h"

#include <exception>
#include <utility>

#include "print/process/polled_io.h"
#include "print/raster/page_mark.h"
#include "print/raster/raster_input.h"

namespace halftoned {

Lane::Lane(const FilterJob& job, const RendererOrder& order,
           std::vector<PageShares::List> lists, size_t most_bytes)
    : job_(job),
      order_(order),
      lists_(std::move(lists)),
      halftoner_(job.settings, job.engine),
      queue_(most_bytes),
      pages_(job.settings.format, queue_),
      thread_(&Lane::Work, this) {}

Lane::~Lane() {
  queue_.Close();
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    if (renderer_) renderer_->process().Terminate();
  }
  thread_.join();
}

void Lane::Work() {
  try {
    queue_.End(Print());
  } catch (const std::exception&) {
    queue_.End(Unavailable("there is not enough memory"));
  }
}

Result<void> Lane::Print() {
  Result<void> finished;
  for (const PageShares::List& list : lists_) {
    const Result<void> printed = PrintList(list);
    if (printed.ok()) continue;
    // A renderer that fails after its pages fails the job after all pages.
    if (printed.error().code != ErrorCode::kBadInput) return printed;
    finished = printed;
  }
  return finished;
}

Result<void> Lane::SetRenderer(Renderer* renderer) {
  const std::lock_guard lock(mutex_);
  if (is_ending_ && renderer) return IoError("the job has ended");
  renderer_ = renderer;
  return {};
}

Result<void> Lane::PrintList(const PageShares::List& list) {
  HALFTONED_TRY_ASSIGN(Renderer renderer,
                       Renderer::Start(order_, list.text, list.ink));
  HALFTONED_TRY(SetRenderer(&renderer));
  Result<void> printed = PrintPages(list, renderer);
  if (printed.ok()) printed = renderer.process().Finish(job_.stop);
  (void)SetRenderer(nullptr).ok();
  return printed;
}

Result<void> Lane::PrintPages(const PageShares::List& list,
                              Renderer& renderer) {
  HALFTONED_TRY_ASSIGN(PolledInput input,
                       PolledInput::Make(renderer.raster(), job_.stop));
  // Without a page there is a page too few, whatever the reason.
  const auto as_lost = [](const Error& error) {
    return error.code == ErrorCode::kIo ? error : Unavailable(error.message);
  };
  auto raster = RasterInput::Open(input);
  if (!raster.ok()) return as_lost(raster.error());
  for (const int64_t page : list.pages) {
    auto header = raster->NextHeader();
    if (!header.ok()) return as_lost(header.error());
    // Ghostscript makes nothing after a page that it does not find; so it is
    // always the last ones that are missing.
    if (!*header) return Unavailable("the renderer left out pages");
    // gstoraster hands the document to a process of its own, which makes pages
    // of a part of it, too.
    if (renderer.process().WasKilled())
      return Unavailable("the renderer was killed");
    if (MarkOf(**header) != PageMark::kListed) {
      return Unavailable("the renderer takes no list of pages");
    }
    // It counts its own pages for that.
    if (NumberIn((*header)->Duplex) != 0 &&
        job_.settings.back_side != BackSide::kNormal) {
      return Unavailable("backs are turned");
    }
    const Result<void> printed =
        halftoner_.Print(*raster, input, **header, page, pages_);
    if (!printed.ok()) return as_lost(printed.error());
  }
  const auto more = raster->NextHeader();
  if (!more.ok()) return as_lost(more.error());
  if (*more) return Unavailable("the renderer added a page");
  return {};
}

}  // namespace halftoned
