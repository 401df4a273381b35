// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's subscriptions and their users. PAPPL has a limit for all of them
// together, which one user could use up. It does not report when a subscription
// ends, so each counts until somebody looks.

#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace halftoned {

class UserSubscriptions {
 public:
  static constexpr int kMostOfUser = 10;

  // Held while one is made, and for all functions here.
  std::mutex mutex;

  bool HasRoom(const std::string& user) const {
    return std::ranges::count(users_, user, [](const auto& each) {
             return each.second;
           }) < kMostOfUser;
  }
  // PAPPL reuses numbers after a restart.
  void Add(int id, const std::string& user) { users_[id] = user; }
  // Forgets the others.
  void Keep(const std::set<int>& ids) {
    std::erase_if(users_,
                  [&](const auto& each) { return !ids.contains(each.first); });
  }

 private:
  std::map<int, std::string> users_;  // by number
};

}  // namespace halftoned
