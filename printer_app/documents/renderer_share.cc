// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/renderer_share.h"

#include <sched.h>

#include <algorithm>
#include <mutex>
#include <thread>

namespace halftoned {
namespace {

std::mutex shares_lock;
int taken = 0;  // by all jobs

}  // namespace

int Processors() {
  cpu_set_t usable;
  if (::sched_getaffinity(0, sizeof(usable), &usable) == 0) {
    return std::max(1, CPU_COUNT(&usable));
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

RendererShare::RendererShare(int wanted) {
  const std::lock_guard guard(shares_lock);
  count_ = std::clamp(Processors() - taken, 1, std::max(1, wanted));
  taken += count_;
}

RendererShare::~RendererShare() {
  const std::lock_guard guard(shares_lock);
  taken -= count_;
}

}  // namespace halftoned
