// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/recent_names.h"

namespace halftoned {

void RecentNames::Add(const std::string& name, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (names_.size() >= kMost) {
    std::erase_if(names_, [&](const auto& each) {
      return now - each.second >= remembered_;
    });
  }
  if (names_.size() < kMost || names_.contains(name)) names_[name] = now;
}

void RecentNames::Remove(const std::string& name) {
  const std::lock_guard lock(mutex_);
  names_.erase(name);
}

bool RecentNames::Has(const std::string& name, Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(name);
  return found != names_.end() && now - found->second < remembered_;
}

}  // namespace halftoned
