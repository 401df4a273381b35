// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/unit_limits.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/text.h"
#include "base/text_file.h"
#include "halftone/run/pool.h"

namespace halftoned {
namespace {

// In addition to the memory of pages, in MiB. worker-cpu uses 10 with 256
// threads and small pages, the supervisor 1; CUDA is not measured but
// estimated.
constexpr uint64_t kSupervisorMib = 64;
constexpr uint64_t kCpuWorkerMib = 128;
constexpr uint64_t kGpuWorkerMib = 512;
// The main thread and the thread of health checks.
constexpr uint64_t kSupervisorTasks = 2;
// In addition to the threads of pages: the main thread and the clients' thread.
constexpr uint64_t kCpuWorkerTasks = 2;
// At most eight of our own threads, and the driver's.
constexpr uint64_t kGpuWorkerTasks = 24;
// Workers of a kind while the old one is drained.
constexpr uint64_t kGenerations = 2;

constexpr uint64_t kBytesPerMib = uint64_t{1} << 20;

// The number in a file of a control group.
uint64_t NumberIn(const std::string& path) {
  const Result<std::string> text = ReadTextFile(path);
  std::string_view start;
  if (text.ok()) start = *text;
  return TakeNumber<uint64_t>(start).value_or(UINT64_MAX);  // "max", too
}

// The group of the process in the unified hierarchy, "/a/b", if there is one.
std::optional<std::string> UnifiedGroup(const std::string& proc_file) {
  constexpr std::string_view kUnified = "0::";
  const Result<std::string> text = ReadTextFile(proc_file);
  if (!text.ok()) return std::nullopt;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kUnified)) return line.substr(kUnified.size());
  }
  return std::nullopt;
}

}  // namespace

UnitLimits OwnUnit() {
  return {HALFTONED_UNIT_MEMORY_MIB, HALFTONED_UNIT_TASKS};
}

UnitLimits NeedsOf(const DaemonConfig& config, size_t gpus, int processors) {
  const auto memory = static_cast<uint64_t>(config.memory);
  const auto threads = static_cast<uint64_t>(std::min(
      config.threads > 0 ? config.threads : processors, Pool::kMaxThreads));
  return {kSupervisorMib + kGenerations * (memory + kCpuWorkerMib +
                                           gpus * (memory + kGpuWorkerMib)),
          kSupervisorTasks + kGenerations * (threads + kCpuWorkerTasks +
                                             gpus * kGpuWorkerTasks)};
}

UnitLimits LimitsOfGroup(const std::string& proc_file,
                         const std::string& groups) {
  const std::optional<std::string> group = UnifiedGroup(proc_file);
  if (!group) return {UINT64_MAX, UINT64_MAX};
  const uint64_t memory = NumberIn(groups + *group + "/memory.max");
  return {memory == UINT64_MAX ? memory : memory / kBytesPerMib,
          NumberIn(groups + *group + "/pids.max")};
}

std::string Lack(const UnitLimits& needs, const UnitLimits& allowed) {
  std::string lack;
  if (needs.memory_mib > allowed.memory_mib) {
    lack = "MemoryMax=" + std::to_string(needs.memory_mib) + "M";
  }
  if (needs.tasks > allowed.tasks) {
    lack += lack.empty() ? "" : " ";
    lack += "TasksMax=" + std::to_string(needs.tasks);
  }
  return lack;
}

}  // namespace halftoned
