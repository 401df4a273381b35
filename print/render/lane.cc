// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/lane.h"

#include <exception>
#include <utility>

namespace halftoned {

Lane::Lane(Renderers& renderers, const LaneOrder& order,
           std::unique_ptr<LanePages> pages,
           std::vector<PageShares::List> lists, PageMemory& memory,
           size_t most_bytes)
    : renderers_(renderers),
      order_(order),
      pages_(std::move(pages)),
      lists_(std::move(lists)),
      queue_(memory, most_bytes),
      thread_(&Lane::Work, this) {}

Lane::~Lane() {
  queue_.Close();
  thread_.join();
}

void Lane::Work() {
  try {
    queue_.End(Print());
  } catch (const std::exception&) {
    queue_.End(IoError("not enough memory"));
  }
}

// A renderer that fails after its pages fails the job after all pages.
Result<void> Lane::Print() {
  Result<void> all_ended;
  for (const PageShares::List& list : lists_) {
    Result<void> ended;
    HALFTONED_TRY(PrintList(list, ended));
    if (all_ended.ok()) all_ended = ended;
  }
  return all_ended;
}

Result<void> Lane::PrintList(const PageShares::List& list,
                             Result<void>& ended) {
  HALFTONED_TRY_ASSIGN(
      Renderers::Running renderer,
      StartDrawing(renderers_, order_, list.ink, list.text, list.pages.size()));
  const Descriptor pipe = renderer->TakePages();
  HALFTONED_TRY_ASSIGN(PolledInput drawn,
                       PolledInput::Make(pipe.get(), renderers_.stop()));
  const Result<void> printed = pages_->Print(list, drawn, queue_);
  ended = renderer->EndOf(pipe.get());
  // How the renderer ended says more than that there are no more pages.
  if (!printed.ok() && !ended.ok()) return ended;
  return printed;
}

Result<Renderers::Running> StartDrawing(Renderers& renderers,
                                        const LaneOrder& order, PageInk ink,
                                        const std::string& list, size_t pages) {
  const bool is_black = ink == PageInk::kBlack;
  HALFTONED_TRY_ASSIGN(Renderers::Running started,
                       renderers.Start(is_black ? order.black : order.gray));
  std::string program = order.first;
  if (!list.empty()) program += "/PageList (" + list + ") def ";
  if (is_black) program += order.for_black;
  HALFTONED_TRY(started->Draw(program, static_cast<int64_t>(pages)));
  return started;
}

}  // namespace halftoned
