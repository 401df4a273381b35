// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the worker for a connection.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>

namespace halftoned::daemon {

// A ready worker.
struct Candidate {
  uint32_t number = 0;     // from 1 on
  int priority = 0;        // the higher is preferred
  size_t connections = 0;  // at equal priority, the fewer are preferred
  bool is_slow = false;    // chosen only if no quick worker is left
  bool serves = false;     // the client's kind of recipe
};

// The number of the best worker, or 0 if there is none. wanted, avoided:
// numbers of workers, or 0.
inline uint32_t ChooseWorker(std::span<const Candidate> candidates,
                             uint32_t wanted, uint32_t avoided) {
  const Candidate* best = nullptr;
  const auto order = [](const Candidate& candidate) {
    return std::tuple(candidate.is_slow, -candidate.priority,
                      candidate.connections, candidate.number);
  };
  for (const Candidate& candidate : candidates) {
    if (wanted != 0 && candidate.number != wanted) continue;
    if (avoided != 0 && candidate.number == avoided) continue;
    if (!candidate.serves) continue;
    if (!best || order(candidate) < order(*best)) best = &candidate;
  }
  return best ? best->number : 0;
}

}  // namespace halftoned::daemon
