// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables and keys of halftoned.conf.

#pragma once

#include <string_view>

#include "config/config.h"
#include "halftone/run/pool.h"

namespace halftoned {

inline constexpr std::string_view kConfigTables[] = {"filter", "queue",
                                                     "daemon"};

// A key of [filter] and [queue.NAME].
inline constexpr std::string_view kParallelPages = "parallel-pages";

struct DaemonInteger {
  std::string_view name;
  int DaemonConfig::*member;
  int least;
  int most;
};

inline constexpr DaemonInteger kDaemonIntegers[] = {
    {"threads", &DaemonConfig::threads, 0, Pool::kMaxThreads},
    {"memory", &DaemonConfig::memory, 16, 1 << 20},
    {"max-connections", &DaemonConfig::max_connections, 1, 2000},
    {"max-connections-per-user", &DaemonConfig::max_connections_per_user, 1,
     2000},
    {"page-idle", &DaemonConfig::page_idle, 1, 86400},
    {"stop-timeout", &DaemonConfig::stop_timeout, 1, 3600},
    {"health-interval", &DaemonConfig::health_interval, 1, 3600},
    {"gpu-memory", &DaemonConfig::gpu_memory, 64, 1 << 20},
    {"gpu-check", &DaemonConfig::gpu_check, 0, 1'000'000},
};

// A key of [filter].
struct RenderInteger {
  std::string_view name;
  int RenderLimits::*member;
  int least;
  int most;
};

inline constexpr RenderInteger kRenderIntegers[] = {
    {"render-memory", &RenderLimits::memory, 0, 1 << 20},
    {"render-memory-total", &RenderLimits::total_memory, 0, 1 << 20},
    {"render-disk", &RenderLimits::disk, 16, 1 << 20},
    {"render-files", &RenderLimits::files, 32, 65536},
    {"render-time", &RenderLimits::time, 1, 86400},
};

// The known key of `table` that `key` resembles; empty if there is none.
std::string_view NearestKey(std::string_view table, std::string_view key);

}  // namespace halftoned
