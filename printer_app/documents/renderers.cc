// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/renderers.h"

#include <chrono>
#include <utility>

namespace halftoned {
namespace {

// PAPPL tells nobody that a job is cancelled, so it is asked.
constexpr std::chrono::milliseconds kPause{50};

}  // namespace

Result<std::unique_ptr<Renderers>> Renderers::Make(pappl_job_t* job) {
  HALFTONED_TRY_ASSIGN(Stop cancelled, Stop::Make());
  return std::unique_ptr<Renderers>(new Renderers(job, std::move(cancelled)));
}

Renderers::Renderers(pappl_job_t* job, Stop cancelled)
    : job_(job),
      cancelled_(std::move(cancelled)),
      watch_(&Renderers::Watch, this) {}

Renderers::~Renderers() {
  {
    const std::lock_guard lock(mutex_);
    is_watched_ = false;
  }
  changed_.notify_all();
  watch_.join();
}

void Renderers::Watch() {
  std::unique_lock lock(mutex_);
  while (is_watched_ && !papplJobIsCanceled(job_)) {
    changed_.wait_for(lock, kPause);
  }
  if (!is_watched_) return;
  cancelled_.Request();
  lock.unlock();
  End();
}

void Renderers::End() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  for (Ghostscript* renderer : running_) renderer->Kill();
}

void Renderers::Resume() {
  const std::lock_guard lock(mutex_);
  has_ended_ = cancelled_.requested();
}

Result<Renderers::Running> Renderers::Start(const DrawingOrder& order) {
  HALFTONED_TRY_ASSIGN(auto process, Ghostscript::Start(order, pending_));
  const std::lock_guard lock(mutex_);
  if (has_ended_) return IoError("the job has ended");
  running_.insert(process.get());
  return Running(*this, std::move(process));
}

Renderers::Running::~Running() {
  if (!process_) return;
  const std::lock_guard lock(all_.mutex_);
  all_.running_.erase(process_.get());
}

}  // namespace halftoned
