// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/print_sheets.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <variant>

#include "print/limits/render_pool.h"
#include "print/process/machine.h"
#include "printer_app/jobs/job_log.h"
#include "printer_app/jobs/raster_job.h"

namespace halftoned {
namespace {

std::mutex shares_lock;
int taken = 0;  // by all jobs

// The number of renderers that a job may use at the same time. Printers print
// concurrently, and their jobs share the CPU cores. A job gets at least one
// renderer, because a job that waits for paper keeps its renderers, and gets
// more if cores are free.
class RendererShare {
 public:
  // Takes up to `wanted` renderers until it is destroyed.
  explicit RendererShare(int wanted) {
    const std::lock_guard guard(shares_lock);
    count_ = std::clamp(Processors() - taken, 1, std::max(1, wanted));
    taken += count_;
  }
  ~RendererShare() {
    const std::lock_guard guard(shares_lock);
    taken -= count_;
  }
  RendererShare(const RendererShare&) = delete;
  RendererShare& operator=(const RendererShare&) = delete;

  int count() const { return count_; }

 private:
  int count_;
};

// Bytes of ink that all renderers of a job together may hold until their pages'
// turn, if all jobs together have memory for it.
constexpr size_t kMostWaiting = size_t{64} << 20;

// For errors that are already in the log, and for canceled jobs.
constexpr char kLogged[] = "";
Error Logged() { return IoError(kLogged); }

}  // namespace

SheetPrinter::SheetPrinter(pappl_job_t* job, const pappl_pr_options_t& options,
                           pappl_device_t* device, const SheetForm& form,
                           const LaneOrder& order, Renderers& renderers,
                           PageMemory& memory, RoomPatience& patience)
    : job_(job),
      options_(options),
      device_(device),
      form_(form),
      order_(order),
      renderers_(renderers),
      memory_(memory),
      patience_(patience) {}

Result<void> SheetPrinter::Print(const std::vector<PageWork>& pages) {
  const Result<void> printed = PrintCopies(pages);
  if (is_in_page_) (void)EndPage(false).ok();
  return printed;
}

Result<void> SheetPrinter::PrintCopies(const std::vector<PageWork>& pages) {
  const int copies = std::clamp(options_.copies, 1, 999);
  papplJobSetImpressions(job_, copies * static_cast<int>(pages.size()));
  for (int copy = 0; copy < copies; ++copy) {
    // Each copy begins on a new sheet.
    if (copy > 0 && options_.sides != PAPPL_SIDES_ONE_SIDED &&
        pages.size() % 2 != 0) {
      HALFTONED_TRY(PrintBlank());
    }
    HALFTONED_TRY(PrintCopy(pages));
  }
  return {};
}

Result<void> SheetPrinter::PrintCopy(const std::vector<PageWork>& pages) {
  int64_t next = 1;
  const int room = RenderersFor(Processors(), MemoryOfMachine());
  const RendererShare share(PageShares::UsefulFor(pages, room));
  int renderers = share.count();
  LogJob(job_, FrontLog::kInfo,
         std::to_string(renderers) + " renderers make " +
             std::to_string(pages.size()) + " pages");
  RenderPool::Retries retries;
  for (int64_t lost = 0;;) {
    const Result<void> printed = PrintPages(pages, renderers, next);
    if (printed.ok()) return printed;
    renderers_.Resume();
    // A page that is lost twice or cannot be drawn ends the job, unless the
    // disk may be the reason.
    const bool may_retry =
        printed.error().message != kLogged && !renderers_.stop().requested();
    const bool is_first_loss =
        printed.error().code == ErrorCode::kIo && lost != next;
    const bool was_short = may_retry && !is_first_loss && retries.Take();
    if (!may_retry || !(is_first_loss || was_short)) return printed;
    if (was_short) {
      HALFTONED_TRY(AwaitRoomForJob(job_, papplGetTempDir(), true, patience_));
    }
    RenderPool::AwaitRoom(renderers_.stop());
    lost = next;
    renderers = 1;
    LogJob(job_, FrontLog::kWarn,
           "one renderer renders page " + std::to_string(next) +
               " and later pages again: " + printed.error().message);
  }
}

Result<void> SheetPrinter::PrintPages(const std::vector<PageWork>& pages,
                                      int renderers, int64_t& next) {
  const int64_t first = next;
  const std::vector<PageWork> rest(pages.begin() + (first - 1), pages.end());
  const PageShares shares(rest, PageShares::BestFor(rest, renderers));
  const size_t most_waiting =
      kMostWaiting / static_cast<size_t>(shares.renderers());
  std::vector<std::unique_ptr<Lane>> lanes;
  for (int i = 0; i < shares.renderers(); ++i) {
    std::vector<PageShares::List> lists = shares.ListsOf(i, first);
    lanes.push_back(std::make_unique<Lane>(
        renderers_, order_,
        std::make_unique<SheetPages>(form_, EnginesOf(job_)), std::move(lists),
        memory_, most_waiting));
  }
  Result<void> printed;
  for (int64_t page = 1; printed.ok() && page <= shares.pages(); ++page) {
    const auto lane = static_cast<size_t>(shares.RendererOf(page));
    printed = PrintPage(lanes[lane]->queue());
    if (printed.ok()) ++next;
  }
  for (const auto& lane : lanes) {
    if (printed.ok()) printed = std::get<Result<void>>(lane->queue().Take());
  }
  if (!printed.ok()) renderers_.End();
  return printed;
}

Result<void> SheetPrinter::PrintPage(PageQueue& queue) {
  if (!queue.IsPageNext()) {
    HALFTONED_TRY(std::get<Result<void>>(queue.Take()));
    return IoError("a renderer omitted pages");
  }
  queue.Take();
  if (!is_in_page_) HALFTONED_TRY(StartPage());
  for (int64_t row = 0; row < form_.rows;) {
    const PageQueue::Item item = queue.Take();
    if (const auto* end = std::get_if<Result<void>>(&item)) {
      return end->ok() ? Bug("a page has too few rows") : *end;
    }
    const auto& rows = std::get<PageQueue::Rows>(item);
    const int64_t known = std::clamp<int64_t>(rows_done_ - row, 0, rows.count);
    const size_t row_bytes = rows.bytes.size() / size_t(rows.count);
    if (!WriteInk(job_, device_,
                  std::span(rows.bytes).subspan(size_t(known) * row_bytes))) {
      return Logged();
    }
    row += rows.count;
    rows_done_ = std::max(rows_done_, row);
  }
  return EndPage(true);
}

Result<void> SheetPrinter::StartPage() {
  if (papplJobIsCanceled(job_) || !StartInkPage(job_, options_, device_)) {
    return Logged();
  }
  is_in_page_ = true;
  rows_done_ = 0;
  return {};
}

Result<void> SheetPrinter::EndPage(bool is_complete) {
  is_in_page_ = false;
  if (!EndInkPage(job_, device_, is_complete)) return Logged();
  if (is_complete) papplJobSetImpressionsCompleted(job_, 1);
  return {};
}

Result<void> SheetPrinter::PrintBlank() {
  HALFTONED_TRY(StartPage());
  const std::vector<std::byte> row(static_cast<size_t>(form_.width + 7) / 8);
  for (int64_t i = 0; i < form_.rows; ++i) {
    if (!WriteInk(job_, device_, row)) return Logged();
  }
  is_in_page_ = false;
  return EndInkPage(job_, device_, true) ? Result<void>() : Logged();
}

}  // namespace halftoned
