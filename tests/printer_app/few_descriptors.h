// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that has reached its limit of open files.

#pragma once

#include <fcntl.h>
#include <sys/resource.h>

#include "base/descriptor.h"

namespace halftoned {

// While it exists, this process can open at most `more` files more.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit limit = before_;
    {
      const Descriptor lowest(open("/dev/null", O_RDONLY | O_CLOEXEC));
      limit.rlim_cur = static_cast<rlim_t>(lowest.get()) + more;
    }
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_ = {};
};

}  // namespace halftoned
