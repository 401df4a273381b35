// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory and the tasks that a configuration needs, and what systemd's unit
// allows. A unit cannot compute its limits; the limits of our unit suffice for
// the default configuration with any number of threads and one GPU.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "config/config.h"

namespace halftoned {

struct UnitLimits {
  uint64_t memory_mib = 0;  // MemoryMax
  uint64_t tasks = 0;       // TasksMax

  friend bool operator==(const UnitLimits&, const UnitLimits&) = default;
};

// The limits of the unit that is installed with this program.
UnitLimits OwnUnit();

// The most that supervisor and workers use with this number of GPUs, which have
// a worker each, while a reload has started the successors of all workers.
UnitLimits NeedsOf(const DaemonConfig& config, size_t gpus, int processors);

// What the control group of this process allows; UINT64_MAX where it sets no
// limit, or where none can be read. proc_file: /proc/self/cgroup; groups:
// /sys/fs/cgroup.
UnitLimits LimitsOfGroup(const std::string& proc_file,
                         const std::string& groups);

// What `allowed` lacks: "MemoryMax=9000M TasksMax=2000"; empty if nothing.
std::string Lack(const UnitLimits& needs, const UnitLimits& allowed);

}  // namespace halftoned
