// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that all renderers of this program take together. A thread looks
// at them ten times per second; if they take more than the limit, it ends the
// largest renderer of the user whose renderers take the most.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "print/process/child.h"
#include "print/process/stop.h"

namespace halftoned {

struct RenderUse {
  std::string user;
  uint64_t bytes;
};

// The one that must end; none if they take no more than `limit`.
std::optional<size_t> FindExcess(const std::vector<RenderUse>& uses,
                                 uint64_t limit);

class RenderMemory {
 public:
  // At first there is none. Any thread may call it, again too. Throws
  // std::system_error if the system cannot start a thread.
  static void SetLimit(uint64_t bytes);

  // Counts a renderer as long as this exists. `child` outlives it.
  class Share {
   public:
    Share(Child& child, std::string user);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // True if the renderer was ended because all together took too much.
    bool was_ended() const { return was_ended_; }
    // The error then.
    static std::string Why();

   private:
    friend class RenderMemory;
    Child& child_;
    const std::string user_;
    std::atomic<bool> was_ended_ = false;
  };

  // Waits until the renderers take less than half of the limit, but at most a
  // minute.
  static void AwaitRoom(const Stop& stop);

 private:
  struct State;
  static State& All();
  static void Watch();
  // Bytes of all that are not ended; ends one that is too much.
  static uint64_t Look(State& all);
};

}  // namespace halftoned
