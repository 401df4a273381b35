// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/recent_sites.h"

namespace halftoned {

void RecentSites::Add(const std::string& site, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (sites_.size() >= kMost) {
    std::erase_if(sites_, [&](const auto& each) {
      return now - each.second >= remembered_;
    });
  }
  if (sites_.size() < kMost || sites_.contains(site)) sites_[site] = now;
}

void RecentSites::Remove(const std::string& site) {
  const std::lock_guard lock(mutex_);
  sites_.erase(site);
}

bool RecentSites::Has(const std::string& site, Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  const auto found = sites_.find(site);
  return found != sites_.end() && now - found->second < remembered_;
}

}  // namespace halftoned
