// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/worker_options.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/text.h"
#include "halftone/run/pool.h"

namespace halftoned::daemon {
namespace {

struct NumberOption {
  std::string_view name;
  int64_t least;
  int64_t most;
  void (*set)(WorkerOptions& options, int64_t number);
};

constexpr int64_t kMostMib = int64_t{1} << 20;

constexpr NumberOption kNumbers[] = {
    {"--number", 1, UINT32_MAX,
     [](WorkerOptions& options, int64_t number) {
       options.number = static_cast<uint32_t>(number);
     }},
    {"--threads", 0, Pool::kMaxThreads,
     [](WorkerOptions& options, int64_t number) {
       options.threads = static_cast<int>(number);
     }},
    {"--memory", 1, kMostMib,
     [](WorkerOptions& options, int64_t number) {
       options.memory_mib = number;
     }},
    {"--jobs", 1, 1'000'000,
     [](WorkerOptions& options, int64_t number) {
       options.jobs = static_cast<int>(number);
     }},
    {"--page-idle", 1, 86'400,
     [](WorkerOptions& options, int64_t number) {
       options.page_idle_seconds = number;
     }},
    {"--stop-timeout", 1, 3600,
     [](WorkerOptions& options, int64_t number) {
       options.stop_seconds = number;
     }},
    {"--gpu-memory", 1, kMostMib,
     [](WorkerOptions& options, int64_t number) {
       options.gpu_memory_mib = number;
     }},
    {"--uid", 1, UINT32_MAX - 1,
     [](WorkerOptions& options, int64_t number) {
       options.uid = static_cast<uid_t>(number);
     }},
    {"--gid", 1, UINT32_MAX - 1,
     [](WorkerOptions& options, int64_t number) {
       options.gid = static_cast<gid_t>(number);
     }},
    {"--confined", 0, 1,
     [](WorkerOptions& options, int64_t number) {
       options.is_confined = number != 0;
     }},
    {"--check", 0, UINT32_MAX,
     [](WorkerOptions& options, int64_t number) {
       options.check = static_cast<uint32_t>(number);
     }},
};

Result<int64_t> NumberOf(const NumberOption& option, const char* text) {
  const auto number = ParseNumber<int64_t>(text);
  if (!number || *number < option.least || *number > option.most) {
    return BadInput(std::string(option.name) + " must be a number from " +
                    std::to_string(option.least) + " to " +
                    std::to_string(option.most));
  }
  return *number;
}

Result<void> Take(const char* name, const char* value, WorkerOptions& options) {
  const auto number =
      std::ranges::find(kNumbers, std::string_view(name), &NumberOption::name);
  const bool is_number = number != std::end(kNumbers);
  if (!is_number && name != std::string_view("--gpu")) {
    return BadInput(std::string("unknown option ") + name);
  }
  if (!value) return BadInput(std::string(name) + " needs a value");
  if (is_number) {
    HALFTONED_TRY_ASSIGN(const int64_t said, NumberOf(*number, value));
    number->set(options, said);
  } else {
    options.gpu = value;
  }
  return {};
}

}  // namespace

Result<WorkerOptions> ParseOptions(std::span<char* const> arguments) {
  WorkerOptions options;
  for (size_t i = 0; i < arguments.size(); i += 2) {
    HALFTONED_TRY(Take(arguments[i],
                       i + 1 < arguments.size() ? arguments[i + 1] : nullptr,
                       options));
  }
  return options;
}

Shop ShopOf(const WorkerOptions& options) {
  return {.worker = options.number,
          .page_idle = std::chrono::seconds(options.page_idle_seconds),
          .stop_patience = std::chrono::seconds(options.stop_seconds)};
}

}  // namespace halftoned::daemon
