// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of a worker:
//
//   worker-… { --number N | --threads N | --memory MIB | --jobs N
//            | --page-idle SECONDS | --stop-timeout SECONDS | --gpu WHICH
//            | --gpu-memory MIB | --check N | --uid N | --gid N
//            | --confined 0|1 }

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "daemon/worker/clients/worker_client.h"

namespace halftoned::daemon {

struct WorkerOptions {
  uint32_t number = 1;
  int threads = 0;  // 0: one for each processor
  int64_t memory_mib = 1024;
  int jobs = 512;  // each of which has a share of the memory
  int64_t page_idle_seconds = 60;
  int64_t stop_seconds = 20;  // for open pages, after the supervisor has died
  // The user to become, from a supervisor that can change users:
  std::optional<uid_t> uid;
  gid_t gid = 0;
  // False only if all clients belong to the user who started it.
  bool is_confined = true;
  // For workers on a GPU:
  std::string gpu = "0";          // UUID, or number on the bus, from 0 on
  int64_t gpu_memory_mib = 4096;  // of the GPU's memory
  uint32_t check = 64;            // checks one band in this many; 0: none
};

Result<WorkerOptions> ParseOptions(std::span<char* const> arguments);

// A Shop without engines.
Shop ShopOf(const WorkerOptions& options);

}  // namespace halftoned::daemon
