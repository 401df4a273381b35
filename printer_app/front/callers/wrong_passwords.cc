// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/wrong_passwords.h"

namespace halftoned {

void WrongPasswords::Add(const std::string& site, Time now) {
  const std::lock_guard lock(mutex_);
  if (sites_.size() >= kMostSites) {
    std::erase_if(sites_, [now](const auto& each) {
      return now - each.second >= kRemembered;
    });
  }
  if (sites_.size() < kMostSites || sites_.contains(site)) sites_[site] = now;
}

bool WrongPasswords::Has(const std::string& site, Time now) const {
  const std::lock_guard lock(mutex_);
  const auto found = sites_.find(site);
  return found != sites_.end() && now - found->second < kRemembered;
}

}  // namespace halftoned
