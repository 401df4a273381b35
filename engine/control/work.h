// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work that a worker has done for clients since it started, by halftone
// type, and how long it took.

#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace halftoned::daemon {

// A histogram of durations.
struct Latencies {
  // In milliseconds, inclusive; the last count is for everything that took
  // longer.
  static constexpr std::array<uint32_t, 15> kLimits = {
      1,   2,    5,    10,   20,     50,     100,   200,
      500, 1000, 2000, 5000, 10'000, 30'000, 60'000};

  std::array<uint64_t, kLimits.size() + 1> counts{};
  uint64_t microseconds = 0;  // total

  void Add(std::chrono::steady_clock::duration took) {
    const auto us = std::max<int64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(took).count(), 0);
    const auto limit = std::ranges::find_if(
        kLimits, [us](uint32_t ms) { return us <= int64_t{ms} * 1000; });
    ++counts[static_cast<size_t>(limit - kLimits.begin())];
    microseconds += static_cast<uint64_t>(us);
  }

  Latencies& operator+=(const Latencies& more) {
    for (size_t i = 0; i < counts.size(); ++i) counts[i] += more.counts[i];
    microseconds += more.microseconds;
    return *this;
  }
  friend bool operator==(const Latencies&, const Latencies&) = default;
};

struct TypeWork {
  uint64_t pages = 0;         // completed
  uint64_t rows = 0;          // answered
  uint64_t microseconds = 0;  // total, of its completed pages

  friend bool operator==(const TypeWork&, const TypeWork&) = default;
};

struct Work {
  static constexpr size_t kTypes = 16;  // more than any method's number

  std::array<TypeWork, kTypes> types;  // by the number of the method
  Latencies pages;  // from the opening until the last rows were taken
  Latencies bands;  // from the band until its answer

  Work& operator+=(const Work& more) {
    for (size_t i = 0; i < kTypes; ++i) {
      types[i].pages += more.types[i].pages;
      types[i].rows += more.types[i].rows;
      types[i].microseconds += more.types[i].microseconds;
    }
    pages += more.pages;
    bands += more.bands;
    return *this;
  }
  friend bool operator==(const Work&, const Work&) = default;
};

}  // namespace halftoned::daemon
