// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sites, or users of networks, that did something not long ago, such as send a
// wrong password.

#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace halftoned {

class RecentSites {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kMost = 4096;  // others are not remembered

  explicit RecentSites(Clock::duration remembered) : remembered_(remembered) {}

  void Add(const std::string& site, Clock::time_point now);
  void Remove(const std::string& site);
  bool Has(const std::string& site, Clock::time_point now) const;

 private:
  const Clock::duration remembered_;
  mutable std::mutex mutex_;
  std::map<std::string, Clock::time_point> sites_;
};

}  // namespace halftoned
