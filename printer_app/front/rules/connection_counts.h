// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts connections, in total and per place: a user of this machine, or an
// address. Each connection has a thread.

#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace halftoned {

class ConnectionCounts {
 public:
  enum class Rank : uint8_t {
    kUser,
    kAdmin,  // may take the connections that are kept for it
    kRoot,   // the same, and all but `most_of_place`
  };

  // kept: of `most`, for those who repair what the others do.
  ConnectionCounts(int most, int most_of_place, int kept)
      : most_(most), most_of_place_(most_of_place), kept_(kept) {}

  // False if there are too many. Each that enters leaves.
  bool Enter(const std::string& place, Rank rank) {
    const std::lock_guard lock(mutex_);
    int& count = places_[place];
    const int most =
        rank == Rank::kRoot ? most_ - most_of_place_ : most_of_place_;
    const int most_of_all = rank == Rank::kUser ? most_ - kept_ : most_;
    if (all_ >= most_of_all || count >= most) {
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
  const int kept_;
  std::mutex mutex_;
  int all_ = 0;
  std::map<std::string, int> places_;
};

}  // namespace halftoned
