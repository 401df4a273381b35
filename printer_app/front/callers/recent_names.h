// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of those that did something not long ago, such as send a wrong
// password: sites, or users of networks.

#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace halftoned {

class RecentNames {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kMost = 4096;  // others are not remembered

  explicit RecentNames(Clock::duration remembered) : remembered_(remembered) {}

  void Add(const std::string& name, Clock::time_point now);
  void Remove(const std::string& name);
  bool Has(const std::string& name, Clock::time_point now) const;

 private:
  const Clock::duration remembered_;
  mutable std::mutex mutex_;
  std::map<std::string, Clock::time_point> names_;
};

}  // namespace halftoned
