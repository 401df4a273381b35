// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/job_renderers.h"

#include <cstdint>
#include <utility>

#include "print/limits/render_guard.h"
#include "print/limits/render_pool.h"
#include "print/process/machine.h"
#include "printer_app/front/callers/network.h"
#include "printer_app/jobs/job_owner.h"
#include "printer_app/jobs/unless_canceled.h"

namespace halftoned {
namespace {

// Bytes for renderers and PAPPL's process. An eighth of the limit is left for
// the front end, drivers and the kernel, and for what renderers take until they
// are ended.
uint64_t MemoryWithServer() {
  const MachineMemory machine = MemoryOfThis();
  return machine.is_limited ? (uint64_t(machine.mib) << 20) / 8 * 7
                            : UINT64_MAX;
}

}  // namespace

Result<std::unique_ptr<JobRenderers>> JobRenderers::Make(pappl_job_t* job) {
  HALFTONED_TRY_ASSIGN(Stop cancelled, Stop::Make());
  RenderPool::Limit({uint64_t(ReadRenderLimits().total_memory) << 20,
                     MemoryWithServer(), papplGetTempDir(), DiskRoom});
  return std::unique_ptr<JobRenderers>(
      new JobRenderers(job, std::move(cancelled)));
}

JobRenderers::JobRenderers(pappl_job_t* job, Stop cancelled)
    : job_(job),
      cancelled_(std::move(cancelled)),
      all_(cancelled_, SiteOf(OwnerOfJob(job).name)),
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
  const bool is_over = WaitUnlessCanceled(
      changed_, lock, [this] { return !is_watched_; },
      [this] { return papplJobIsCanceled(job_); });
  if (is_over) return;
  cancelled_.Request();
  all_.End();
}

}  // namespace halftoned
