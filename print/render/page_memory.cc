// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/page_memory.h"

#include <algorithm>

namespace halftoned {

PageMemory::Part::Part(PageMemory& all, size_t most) : all_(all), most_(most) {
  const std::lock_guard lock(all_.mutex_);
  ++all_.parts_;
  all_.used_ += all_.work_;
}

PageMemory::Part::~Part() {
  const std::lock_guard lock(all_.mutex_);
  all_.used_ -= all_.work_ + used_;
  --all_.parts_;
}

bool PageMemory::Part::TryTake(size_t bytes) {
  const std::lock_guard lock(all_.mutex_);
  const size_t equal = all_.bytes_ / all_.parts_;
  // An older part may have more than an equal part until its queue is emptied.
  const bool fits = used_ + bytes <= most_ &&
                    all_.work_ + used_ + bytes <= equal &&
                    all_.used_ + bytes <= all_.bytes_;
  if (used_ > 0 && !fits) return false;
  used_ += bytes;
  all_.used_ += bytes;
  return true;
}

void PageMemory::Part::Return(size_t bytes) {
  const std::lock_guard lock(all_.mutex_);
  used_ -= bytes;
  all_.used_ -= bytes;
}

}  // namespace halftoned
