// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What confines every run of Ghostscript, and of other programs that read
// documents: the limits of halftoned.conf, and its own folder for temporary
// files, which is removed with it. The limits are the same for all programs.
// PostScript is a program: it may loop, and fill memory and disk.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/temporary_folder.h"
#include "config/config.h"
#include "print/limits/child_watch.h"
#include "print/process/child.h"
#include "print/process/machine.h"

namespace halftoned {

// The limits in halftoned.conf; a wrong value is replaced by its default.
RenderLimits ReadRenderLimits();
// Replaces 0 by the defaults for such a machine.
void SetDefaults(RenderLimits& limits, const MachineMemory& machine);

// The limits that the system itself can enforce.
ChildLimits LimitsOfSystem(const RenderLimits& limits);

// Limits this process, which reads a document: one that would use all of the
// memory, the disk or the time of a page ends only this process.
void LimitToRender();

// A conversion to PDF may take this many times render-time. It prints no page,
// and nobody knows how many pages it makes. Enough for 500 pages of 6 s each.
inline constexpr int64_t kTimesOfConversion = 10;

// In Ghostscript's message about a file that it may not write.
inline constexpr std::string_view kNoFile = "Could not open the file";

// The errors for a document that needs more than `disk` allows, or more than
// these seconds of CPU time. of_what: such as "in total".
std::string TooMuchDisk(const RenderLimits& limits);
std::string TooMuchTime(int64_t seconds, std::string_view of_what);

class RenderGuard {
 public:
  // The folder is in `parent`, with a name that begins with `prefix`.
  static Result<RenderGuard> Make(const std::string& parent,
                                  std::string_view prefix = "gs-");

  const std::string& folder() const { return folder_.path(); }
  ChildLimits limits() const { return LimitsOfSystem(limits_); }

  struct Run {
    int output = -1;                            // of its pages (WatchOrder)
    int64_t times = 0;                          // as for LimitTime
    std::atomic<uint64_t>* disk_use = nullptr;  // WatchOrder
  };
  Result<std::unique_ptr<ChildWatch>> Watch(Child& child,
                                            std::vector<int> given,
                                            const Run& run) const;

  // The whole run may take this many times render-time: once for each page. So
  // a page that is drawn in many bands takes no longer than others, although
  // each band is output. 0: any time, as long as there is output.
  void LimitTime(ChildWatch& watch, int64_t times) const;

  // The limit that ended it, and how to raise that limit; empty if none did.
  // messages: from Ghostscript. Precondition: it has ended.
  std::string LimitHit(Child& child, const ChildWatch& watch,
                       std::string_view messages) const;

 private:
  RenderGuard(TemporaryFolder folder, const RenderLimits& limits)
      : folder_(std::move(folder)), limits_(limits) {}

  std::chrono::nanoseconds time() const {
    return std::chrono::seconds(limits_.time);
  }

  TemporaryFolder folder_;
  RenderLimits limits_;
};

}  // namespace halftoned
