// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sites that sent a wrong password in the last minute. PAM delays the answer to
// a wrong password by seconds, so guesses could take all of its turns.

#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace halftoned {

class WrongPasswords {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::minutes kRemembered{1};
  static constexpr size_t kMostSites = 4096;  // others are not remembered

  void Add(const std::string& site, Time now);
  bool Has(const std::string& site, Time now) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Time> sites_;
};

}  // namespace halftoned
