// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/handover/hold.h"

#include <cstdint>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr std::string_view kOurs = "halftone-";
constexpr std::string_view kAt = "at-";
constexpr int kSaturday = 6;

// The hours of the day at which the period begins and ends.
struct Period {
  std::string_view name;
  int begin;
  int end;
};

constexpr Period kPeriods[] = {{"day-time", 6, 18},
                               {"evening", 18, 24},
                               {"night", 18, 6},
                               {"second-shift", 16, 24},
                               {"third-shift", 0, 8}};

bool IsWithin(const Period& period, int hour) {
  return period.begin < period.end ? hour >= period.begin && hour < period.end
                                   : hour >= period.begin || hour < period.end;
}

}  // namespace

std::optional<bool> MayBegin(std::string_view hold, time_t now) {
  if (hold.empty() || hold == kHoldForTurn) return true;
  if (!hold.starts_with(kOurs)) return std::nullopt;
  hold.remove_prefix(kOurs.size());
  if (hold.starts_with(kAt)) {
    hold.remove_prefix(kAt.size());
    const auto time = ParseNumber<int64_t>(hold);
    return time ? std::optional(now >= *time) : std::nullopt;
  }
  tm local;
  localtime_r(&now, &local);
  if (hold == "weekend") {
    return local.tm_wday == 0 || local.tm_wday == kSaturday;
  }
  for (const Period& period : kPeriods) {
    if (hold == period.name) return IsWithin(period, local.tm_hour);
  }
  return std::nullopt;
}

}  // namespace halftoned
