// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/job_renderers.h"

#include <chrono>
#include <cstdint>
#include <utility>

#include "print/limits/render_guard.h"
#include "print/limits/render_pool.h"

namespace halftoned {
namespace {

// PAPPL does not report that a job is canceled, so poll it.
constexpr std::chrono::milliseconds kPause{50};

}  // namespace

Result<std::unique_ptr<JobRenderers>> JobRenderers::Make(pappl_job_t* job) {
  HALFTONED_TRY_ASSIGN(Stop cancelled, Stop::Make());
  RenderPool::Limit({uint64_t(ReadRenderLimits().total_memory) << 20,
                     papplGetTempDir(), DiskRoom});
  return std::unique_ptr<JobRenderers>(
      new JobRenderers(job, std::move(cancelled)));
}

JobRenderers::JobRenderers(pappl_job_t* job, Stop cancelled)
    : job_(job),
      cancelled_(std::move(cancelled)),
      all_(cancelled_, papplJobGetUsername(job)),
      watch_(&JobRenderers::Watch, this) {}

JobRenderers::~JobRenderers() {
  {
    const std::lock_guard lock(mutex_);
    is_watched_ = false;
  }
  changed_.notify_all();
  watch_.join();
}

void JobRenderers::Watch() {
  std::unique_lock lock(mutex_);
  while (is_watched_ && !papplJobIsCanceled(job_)) {
    changed_.wait_for(lock, kPause);
  }
  if (!is_watched_) return;
  cancelled_.Request();
  all_.End();
}

}  // namespace halftoned
