// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits what runs at a time: for each user of this machine, for each network,
// for each site, and in total. A network gets at most a quarter of what is
// left, and a site at most half of what other sites leave, so it takes many
// sites to leave nothing.

#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "printer_app/front/callers/network.h"

namespace halftoned {

class NetworkCounts {
 public:
  NetworkCounts(int most, int most_of_all)
      : most_(most), most_of_all_(most_of_all) {}

  // False if there are too many. Otherwise the caller must call Leave.
  bool Enter(const std::string& network) {
    const std::lock_guard lock(mutex_);
    const std::string site = SiteOf(network);
    const int of_site = CountOf(sites_, site);
    const int left = most_of_all_ - all_;
    if (left == 0 ||
        CountOf(counts_, network) >= std::clamp(left / 4, 1, most_) ||
        of_site >= std::max((left + of_site) / 2, 1)) {
      return false;
    }
    ++counts_[network];
    ++sites_[site];
    ++all_;
    return true;
  }

  void Leave(const std::string& network) {
    const std::lock_guard lock(mutex_);
    --all_;
    Uncount(counts_, network);
    Uncount(sites_, SiteOf(network));
  }

 private:
  using Counts = std::map<std::string, int>;

  static int CountOf(const Counts& counts, const std::string& name) {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : found->second;
  }
  static void Uncount(Counts& counts, const std::string& name) {
    if (--counts[name] == 0) counts.erase(name);
  }

  const int most_;
  const int most_of_all_;
  std::mutex mutex_;
  int all_ = 0;
  Counts counts_;  // of networks
  Counts sites_;
};

}  // namespace halftoned
