// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts this process's system resources, so that a test can tell whether any
// were leaked.

#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace halftoned::testing {

struct Resources {
  size_t descriptors;
  size_t ring_mappings;
  size_t threads;

  static Resources Held() {
    const auto count = [](const char* folder) {
      using Walk = std::filesystem::directory_iterator;
      return static_cast<size_t>(std::distance(Walk(folder), Walk()));
    };
    size_t mappings = 0;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      mappings += line.find("/memfd:") != std::string::npos ? 1 : 0;
    }
    return {count("/proc/self/fd"), mappings, count("/proc/self/task")};
  }

  // Files that are not memory are closed by a thread of their own, and a joined
  // thread is listed until the kernel has removed it.
  static Resources HeldAtLast(const Resources& wanted) {
    constexpr std::chrono::milliseconds kPause(1);
    constexpr int kMostPauses = 10'000;
    Resources held = Held();
    for (int i = 0; i < kMostPauses && !(held == wanted); ++i) {
      std::this_thread::sleep_for(kPause);
      held = Held();
    }
    return held;
  }

  friend bool operator==(const Resources&, const Resources&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Resources& held) {
    return out << held.descriptors << " descriptors, " << held.ring_mappings
               << " mappings, " << held.threads << " threads";
  }
};

}  // namespace halftoned::testing
