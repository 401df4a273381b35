// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and disk that all renderers of this program take together. A thread
// looks at them ten times per second. If they take more memory than the limit,
// or if the disk of their files becomes full, it ends the largest renderer of
// the user whose renderers take the most.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "print/process/child.h"
#include "print/process/stop.h"

namespace halftoned {

struct RenderUse {
  std::string user;
  uint64_t bytes;
};

// The one that must end; none if all take no more than `limit`.
std::optional<size_t> FindExcess(const std::vector<RenderUse>& uses,
                                 uint64_t limit);

struct RenderTotals {
  uint64_t memory = UINT64_MAX;  // bytes
  // A directory whose disk must not become full; empty: it may.
  std::string folder;
  // Its free bytes, such as DiskRoom.
  uint64_t (*free)(const std::string& folder) = nullptr;
};

// Bytes that renderers can still take of the folder's disk. The rest is left to
// others: 1/64 of the disk, but at most 64 MiB.
uint64_t DiskRoom(const std::string& folder);

class RenderPool {
 public:
  // Files up to this size are not to blame for a full disk.
  static constexpr uint64_t kSmall = 1 << 20;

  // At first there is no limit. Any thread may call it, again too. Throws
  // std::system_error if the system cannot start a thread.
  static void Limit(RenderTotals totals);

  // Counts a renderer as long as this exists.
  class Share {
   public:
    // `child` outlives it. folder: of its job's files.
    Share(Child& child, std::string user, std::string folder);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // Bytes of its temporary files; any thread may set it.
    std::atomic<uint64_t>& disk() { return disk_; }

    // An error if it was ended because all together took too much.
    Result<void> Verdict() const;

   private:
    friend class RenderPool;
    enum class Excess { kNone, kMemory, kDisk };

    Child& child_;
    const std::string user_;
    const std::string folder_;
    std::atomic<uint64_t> disk_ = 0;
    std::atomic<Excess> excess_ = Excess::kNone;
  };

  // An error if the disk is full.
  static Result<void> CheckDisk();

  // Waits until there is room for another renderer, but at most a minute.
  static void AwaitRoom(const Stop& stop);

 private:
  struct State;
  static State& All();
  static void Watch();
  // False: there is no room for another one. Ends those that are too much.
  static bool Look(State& all);
};

}  // namespace halftoned
