// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/queue/print_states.h"

#include <algorithm>
#include <cstdio>

#include "base/json.h"
#include "base/text.h"

namespace halftoned {
namespace {

void PrintJson(const std::vector<QueueState>& states) {
  for (const QueueState& state : states) {
    const Json json = {
        {"name", state.name}, {"state", state.state}, {"reason", state.reason}};
    std::fputs(JsonLine(json).c_str(), stdout);
  }
}

void PrintTable(const std::vector<QueueState>& states) {
  size_t width = 0;
  for (const QueueState& state : states) {
    width = std::max(width, state.name.size());
  }
  for (const QueueState& state : states) {
    std::printf("%-*s  %s%s%s\n", static_cast<int>(width),
                Printable(state.name).c_str(), state.state.c_str(),
                state.reason.empty() ? "" : ": ",
                Printable(state.reason).c_str());
  }
}

}  // namespace

void PrintStates(const std::vector<QueueState>& states, bool as_json) {
  as_json ? PrintJson(states) : PrintTable(states);
}

}  // namespace halftoned
