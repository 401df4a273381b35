// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/options.h"

#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include "halftone/pool.h"

namespace halftoned::daemon {
namespace {

struct Option {
  std::string_view name;
  int64_t least;
  int64_t most;
};

constexpr Option kOptions[] = {{"--number", 1, UINT32_MAX},
                               {"--threads", 0, Pool::kMaxThreads},
                               {"--memory", 1, int64_t{1} << 20},
                               {"--page-idle", 1, 86'400}};

Result<int64_t> NumberOf(const Option& option, const char* text) {
  int64_t number = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error != std::errc() || stop != end || number < option.least ||
      number > option.most) {
    return BadInput(std::string(option.name) + " must be a number in " +
                    std::to_string(option.least) + " … " +
                    std::to_string(option.most));
  }
  return number;
}

}  // namespace

Result<WorkerOptions> ParseOptions(std::span<char* const> arguments) {
  WorkerOptions options;
  for (size_t i = 0; i < arguments.size(); i += 2) {
    const std::string_view name = arguments[i];
    const Option* known = nullptr;
    for (const Option& option : kOptions) {
      if (option.name == name) known = &option;
    }
    if (!known) return BadInput("unknown option " + std::string(name));
    if (i + 1 == arguments.size()) {
      return BadInput(std::string(name) + " wants a number");
    }
    HALFTONED_TRY_ASSIGN(const int64_t number,
                         NumberOf(*known, arguments[i + 1]));
    if (name == "--number") options.number = static_cast<uint32_t>(number);
    if (name == "--threads") options.threads = static_cast<int>(number);
    if (name == "--memory") options.memory_mib = number;
    if (name == "--page-idle") options.page_idle_seconds = number;
  }
  return options;
}

Shop ShopOf(const WorkerOptions& options) {
  Shop shop;
  shop.worker = options.number;
  shop.memory_limit = static_cast<size_t>(options.memory_mib) << 20;
  shop.page_idle = std::chrono::seconds(options.page_idle_seconds);
  return shop;
}

}  // namespace halftoned::daemon
