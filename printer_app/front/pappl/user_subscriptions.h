// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's subscriptions and their users. PAPPL has a limit for all of them
// together (system.cc), which a few users could use up. It does not report when
// a subscription ends, so each counts until somebody looks.

#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "printer_app/front/callers/network.h"
#include "printer_app/front/pappl/user_shares.h"

namespace halftoned {

class UserSubscriptions {
 public:
  using User = UserShares::User;
  static constexpr int kMostOfUser = 10;
  // All clients of other machines that give no password get half of the total.
  static constexpr int kMostOfOthers = 250;

  // Held while one is made, and for all functions here.
  std::mutex mutex;

  bool HasRoom(const User& user) const {
    const int own = Count([&](const User& each) { return each == user; });
    if (own >= kMostOfUser) return false;
    if (user.group != UserShares::Group::kRemote) return true;
    // A site gets at most half of what other sites leave.
    const std::string site = SiteOf(user.name);
    const int of_site = Count([&](const User& each) {
      return each.group == user.group && SiteOf(each.name) == site;
    });
    const int all =
        Count([&](const User& each) { return each.group == user.group; });
    return all < kMostOfOthers &&
           of_site < std::max((kMostOfOthers - all + of_site) / 2, 1);
  }
  // PAPPL reuses numbers after a restart.
  void Add(int id, const User& user) { users_[id] = user; }
  void Forget(int id) { users_.erase(id); }
  std::vector<int> Ids() const {
    std::vector<int> ids;
    for (const auto& each : users_) ids.push_back(each.first);
    return ids;
  }

 private:
  template <typename Counts>
  int Count(Counts counts) const {
    return static_cast<int>(std::ranges::count_if(
        users_, [&](const auto& each) { return counts(each.second); }));
  }

  std::map<int, User> users_;  // by number
};

}  // namespace halftoned
