// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/limits/render_guard.h"

#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/sanitizers.h"
#include "print/limits/render_pool.h"

namespace halftoned {
namespace {

using Excess = ChildWatch::Excess;

constexpr auto kAnyTime = std::chrono::nanoseconds::max();
constexpr uint64_t kMiB = uint64_t{1} << 20;
// In MiB. Enough for any page, because a renderer holds one band at a time.
constexpr int kMostMemory = 2048;
// In MiB. Some pages need this much.
constexpr int kLeastMemory = 1024;

uint64_t BytesOf(int mib) { return static_cast<uint64_t>(mib) * kMiB; }

std::string Excessive(const std::string& need, const char* key) {
  return "it needs more than " + need + " (" + key + " in halftoned.conf)";
}

}  // namespace

void SetDefaults(RenderLimits& limits, const MachineMemory& machine) {
  const int half = std::max(machine.mib / 2, 1);
  // If there is a limit, what is beyond it is for other programs, and
  // RenderPool leaves a part of it to the server.
  if (limits.total_memory == 0) {
    limits.total_memory =
        machine.is_limited
            ? machine.mib
            : std::min(machine.mib, std::max(half, limits.memory));
  }
  if (limits.memory == 0) {
    limits.memory =
        std::min(machine.mib, std::clamp(half, kLeastMemory, kMostMemory));
  }
}

RenderLimits ReadRenderLimits() {
  RenderLimits limits = ReadWhatIsRight(ConfPath()).config.render;
  SetDefaults(limits, MemoryOfThis());
  return limits;
}

ChildLimits LimitsOfSystem(const RenderLimits& limits) {
  return {BytesOf(limits.memory), BytesOf(limits.disk),
          static_cast<uint64_t>(limits.files)};
}

void LimitToRender() {
  const auto limit = [](auto resource, uint64_t most) {
    rlimit limits = {};
    if (::getrlimit(resource, &limits) != 0) return;
    limits.rlim_cur = std::min<rlim_t>(most, limits.rlim_max);
    ::setrlimit(resource, &limits);
  };
  const RenderLimits render = ReadRenderLimits();
  const ChildLimits limits = LimitsOfSystem(render);
  if (!HasSanitizer()) limit(RLIMIT_DATA, limits.memory);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_CPU, static_cast<uint64_t>(render.time));
}

std::string TooMuchDisk(const RenderLimits& limits) {
  return Excessive(std::to_string(limits.disk) + " MiB of temporary files",
                   "render-disk");
}

std::string TooMuchTime(int64_t seconds, std::string_view of_what) {
  return Excessive(
      std::to_string(seconds) + " s of a CPU core " + std::string(of_what),
      "render-time");
}

Result<RenderGuard> RenderGuard::Make(const std::string& parent,
                                      std::string_view prefix) {
  Result<TemporaryFolder> folder = TemporaryFolder::Make(parent, prefix);
  if (!folder.ok()) {
    RenderPool::NoteShortage();
    return folder.error();
  }
  return RenderGuard(std::move(*folder), ReadRenderLimits());
}

Result<std::unique_ptr<ChildWatch>> RenderGuard::Watch(Child& child,
                                                       std::vector<int> given,
                                                       const Run& run) const {
  HALFTONED_TRY_ASSIGN(
      auto watch,
      ChildWatch::Start(child, {.folder = folder(),
                                .given = std::move(given),
                                .disk_bytes = BytesOf(limits_.disk),
                                .files = static_cast<uint64_t>(limits_.files),
                                .time = run.output >= 0 ? time() : kAnyTime,
                                .output = run.output,
                                .disk_use = run.disk_use}));
  LimitTime(*watch, run.times);
  return watch;
}

void RenderGuard::LimitTime(ChildWatch& watch, int64_t times) const {
  const bool is_limited = times > 0 && times <= kAnyTime / time();
  watch.LimitTotalTime(is_limited ? time() * times : kAnyTime);
}

std::string RenderGuard::LimitHit(Child& child, const ChildWatch& watch,
                                  std::string_view messages) const {
  const Excess excess = watch.excess();
  const auto has_said = [&](std::string_view text) {
    return messages.find(text) != messages.npos;
  };
  if (excess == Excess::kDisk || child.WasKilledBy(SIGXFSZ)) {
    return TooMuchDisk(limits_);
  }
  if (excess == Excess::kFiles || has_said("Too many open files")) {
    return Excessive(std::to_string(limits_.files) + " temporary files",
                     "render-files");
  }
  if (excess == Excess::kTime) {
    return TooMuchTime(limits_.time, "for a page");
  }
  if (excess == Excess::kTotalTime) {
    const auto total =
        std::chrono::floor<std::chrono::seconds>(watch.total_time());
    return TooMuchTime(total.count(), "in total");
  }
  // pdfwrite reports the same error if a document names an output file.
  if (has_said("/VMerror") && !has_said(kNoFile)) {
    return Excessive(std::to_string(limits_.memory) + " MiB of memory",
                     "render-memory");
  }
  return "";
}

}  // namespace halftoned
