// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/known_keys.h"

#include <iterator>
#include <vector>

#include "base/text.h"

namespace halftoned {
namespace {

// The keys in addition to kPrintSettings and the tables of integers.
constexpr std::string_view kFilterKeys[] = {
    "engine",       "threads",         "machine-threads", "max-page-length",
    kParallelPages, "parallel-memory", "renderer",        "use-daemon",
    "use-ring",     "daemon-timeout"};
constexpr std::string_view kDaemonKeys[] = {
    "socket", "status-socket", "user", "worker-user",
    "group",  "log-level",     "gpus"};

}  // namespace

std::string_view NearestKey(std::string_view table, std::string_view key) {
  std::vector<std::string_view> keys;
  if (table == "daemon") {
    keys.assign(std::begin(kDaemonKeys), std::end(kDaemonKeys));
    for (const DaemonInteger& known : kDaemonIntegers) {
      keys.push_back(known.name);
    }
  } else if (!table.empty()) {
    if (table != "filter") keys.push_back(kParallelPages);
    for (const PrintSetting& setting : kPrintSettings) {
      if (setting.MayBeSetBy(kConfiguration)) keys.push_back(setting.name);
    }
  }
  if (table == "filter") {
    keys.insert(keys.end(), std::begin(kFilterKeys), std::end(kFilterKeys));
    for (const RenderInteger& known : kRenderIntegers) {
      keys.push_back(known.name);
    }
  }
  return NearestOf(key, keys);
}

}  // namespace halftoned
