// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/admin_group.h"

#include <grp.h>

#include <string_view>

namespace halftoned {

std::string TakeAdminGroup(std::string& state) {
  constexpr std::string_view kName = "AdminGroup ";
  size_t start = 0;
  while (start < state.size()) {
    size_t end = state.find('\n', start);
    if (end == state.npos) end = state.size();
    if (std::string_view(state).substr(start).starts_with(kName)) {
      const size_t value = start + kName.size();
      std::string group = state.substr(value, end - value);
      state.erase(start, end + 1 - start);
      return group;
    }
    start = end + 1;
  }
  return "";
}

bool SetAdminGroup(pappl_system_t* system, const std::string& group) {
  const pappl_loglevel_t level = papplSystemGetLogLevel(system);
  papplSystemSetLogLevel(system, PAPPL_LOGLEVEL_FATAL);
  papplSystemSetAdminGroup(system, group.c_str());
  papplSystemSetLogLevel(system, level);
  // For PAPPL, "none" is no group.
  return group == "none" || getgrnam(group.c_str()) != nullptr;
}

}  // namespace halftoned
