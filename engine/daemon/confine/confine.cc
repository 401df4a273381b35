// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/confine/confine.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>

namespace halftoned::daemon {

Confined Confine(const Confinement& confinement) {
  constexpr rlimit kNoCores{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &kNoCores);
  Confined confined;
#ifndef HALFTONED_SANITIZED  // sanitizers look at the process from outside
  const auto add = [&confined](const char* what) {
    confined.missing += confined.missing.empty() ? "" : ", ";
    confined.missing += what + (" (" + std::string(std::strerror(errno))) + ")";
  };
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) add("no new privileges");
  if (!RestrictFiles(confinement)) add("Landlock");
  // Last, since it denies calls that the other steps need.
  confined.is_filtered = DenySystemCalls(confinement);
  if (!confined.is_filtered) add("filters for system calls");
#else
  (void)confinement;
#endif
  return confined;
}

}  // namespace halftoned::daemon
