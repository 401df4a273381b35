// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the memory and the disk that all renderers of this program use
// together. A thread checks them ten times per second, and more often while
// renderers use half of the memory. If they use more than the limit, or if the
// disk of their files becomes full, it ends the largest renderer of the user
// whose renderers use the most.

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

// The renderer that must end; none if all use no more than `limit`.
std::optional<size_t> FindExcess(const std::vector<RenderUse>& uses,
                                 uint64_t limit);

struct RenderTotals {
  uint64_t memory = UINT64_MAX;  // bytes
  // Bytes of the renderers and this process. Above its own limit, the kernel
  // would kill the largest process, whichever user uses the most.
  uint64_t with_this = UINT64_MAX;
  // A directory whose disk must not become full; empty: any disk may.
  std::string folder;
  // Returns its free bytes, as DiskRoom does.
  uint64_t (*free)(const std::string& folder) = nullptr;
};

// Bytes of the folder's disk that renderers may still use. The rest is left to
// others: 1/64 of the disk, but at most 64 MiB.
uint64_t DiskRoom(const std::string& folder);

class RenderPool {
 public:
  // Files up to this size are not to blame for a full disk.
  static constexpr uint64_t kSmall = 1 << 20;

  // At first there is no limit. Any thread may call this, more than once.
  // Throws std::system_error if the system cannot start a thread.
  static void Limit(RenderTotals totals);

  // Counts a renderer as long as this exists.
  class Share {
   public:
    // `child` outlives it. folder: has the files of the child's job.
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

  // A file could not be written, so the disk was short (Retries).
  static void NoteShortage();

  // Waits until there is room for another renderer, but at most a minute.
  static void AwaitRoom(const Stop& stop);

  // Work that fails while the disk is short may be tried again. A program to
  // which a full disk happens may end as if its document were at fault, and the
  // disk may be free again before the next look. So the disk is short as soon
  // as no more is left than the renderers' files take.
  class Retries {
   public:
    static constexpr int kMost = 5;

    // Begins before the work.
    Retries() : seen_(Shortages()) {}

    // After a failure: whether the disk was short since the last call, or since
    // the beginning. True at most kMost times.
    bool Take();

   private:
    uint64_t seen_;
    int taken_ = 0;
  };

 private:
  struct State;
  static State& All();
  static void Watch();
  // Ends renderers if all use too much. False if another one must wait.
  static bool Look(State& all);
  // How often the disk was short when somebody looked, now included.
  static uint64_t Shortages();
};

}  // namespace halftoned
