// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/renderer_share.h"

#include <algorithm>
#include <mutex>

#include "print/process/machine.h"

namespace halftoned {
namespace {

std::mutex shares_lock;
int taken = 0;  // by all jobs

}  // namespace

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
