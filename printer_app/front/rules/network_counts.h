// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits what runs at a time: for each user of this machine, for each network,
// and in total. Each gets at most a quarter of what is left, so it takes many
// networks to leave nothing.

#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

namespace halftoned {

class NetworkCounts {
 public:
  NetworkCounts(int most, int most_of_all)
      : most_(most), most_of_all_(most_of_all) {}

  // False if there are too many. Otherwise the caller must call Leave.
  bool Enter(const std::string& network) {
    const std::lock_guard lock(mutex_);
    const auto found = counts_.find(network);
    const int count = found == counts_.end() ? 0 : found->second;
    const int left = most_of_all_ - all_;
    if (left == 0 || count >= std::clamp(left / 4, 1, most_)) return false;
    ++counts_[network];
    ++all_;
    return true;
  }

  void Leave(const std::string& network) {
    const std::lock_guard lock(mutex_);
    --all_;
    if (--counts_[network] == 0) counts_.erase(network);
  }

 private:
  const int most_;
  const int most_of_all_;
  std::mutex mutex_;
  int all_ = 0;
  std::map<std::string, int> counts_;
};

}  // namespace halftoned
