// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts connections, in total and per place: a user of this machine, or an
// address. Each connection has a thread.

#pragma once

#include <map>
#include <mutex>
#include <string>

namespace halftoned {

class ConnectionCounts {
 public:
  // has_limit of Enter: a place that is not limited may take all but
  // `most_of_place` connections.
  ConnectionCounts(int most, int most_of_place)
      : most_(most), most_of_place_(most_of_place) {}

  // False if there are too many. Each that enters leaves.
  bool Enter(const std::string& place, bool has_limit) {
    const std::lock_guard lock(mutex_);
    int& count = places_[place];
    const int most = has_limit ? most_of_place_ : most_ - most_of_place_;
    if (all_ >= most_ || count >= most) {
      if (count == 0) places_.erase(place);
      return false;
    }
    ++count;
    ++all_;
    return true;
  }

  void Leave(const std::string& place) {
    const std::lock_guard lock(mutex_);
    --all_;
    if (--places_[place] == 0) places_.erase(place);
  }

 private:
  const int most_;
  const int most_of_place_;
  std::mutex mutex_;
  int all_ = 0;
  std::map<std::string, int> places_;
};

}  // namespace halftoned
