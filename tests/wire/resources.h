// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts this process's system resources, so that a test can tell whether any
// were leaked.

#ifndef HALFTONED_TESTS_WIRE_RESOURCES_H_
#define HALFTONED_TESTS_WIRE_RESOURCES_H_

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

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

  friend bool operator==(const Resources&, const Resources&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Resources& held) {
    return out << held.descriptors << " descriptors, " << held.ring_mappings
               << " mappings, " << held.threads << " threads";
  }
};

}  // namespace halftoned::testing

#endif  // HALFTONED_TESTS_WIRE_RESOURCES_H_
