// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rights that supervisor and workers give up permanently before they accept
// a client, so they are confined as tightly without systemd as with it. In
// addition, neither leaves a core dump, which would contain pages of users, and
// neither gains privileges by running a program.
//
// System calls on a list are denied, as by the sets of systemd in the unit. A
// list of allowed calls would be shorter for worker-cpu, but would have to
// follow the C library and the GPU driver. The filter is written out here,
// since a single list does not justify a library as a dependency.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace halftoned::daemon {

// The user that workers run as, if root has started the supervisor.
struct WorkerUser {
  uid_t uid = 0;
  gid_t gid = 0;

  friend bool operator==(const WorkerUser&, const WorkerUser&) = default;
};

enum class Role {
  kSupervisor,  // starts programs and signals them; writes to few folders
  kWorker,      // has its descriptors, and opens no file
  kGpuWorker,   // opens files of the driver and of the devices
};

struct Confinement {
  Role role{};
  // Where the supervisor may create and remove sockets.
  std::vector<std::string> folders;
  // The only other user that the supervisor may become.
  std::optional<WorkerUser> worker_user;
};

struct Confined {
  bool is_filtered = false;  // system calls are denied
  // What this kernel does not offer: a line for the log, or empty.
  std::string missing;
};

// Applies to the calling thread and to threads that it starts later, so call it
// before it starts any.
Confined Confine(const Confinement& confinement);

// The steps of Confine. Both return false, with errno, if the kernel refuses.

// Landlock: the files that the process may open, in addition to those that are
// open, and the processes that it may signal, trace and connect to. Some of
// these are restricted only on newer kernels.
bool RestrictFiles(const Confinement& confinement);

// Installs the filter (seccomp); denied calls fail with EPERM. Precondition:
// no_new_privs is set.
bool DenySystemCalls(const Confinement& confinement);

}  // namespace halftoned::daemon
