// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Medians of runs, for benches without Google Benchmark.

#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace halftoned::bench {

struct Timing {
  double median_ms;
  double best_ms;
};

inline Timing TimingOf(std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  return {ms[ms.size() / 2], ms.front()};
}

// Median after `warm_ups` runs; `once` returns milliseconds.
template <typename Once>
Timing Measure(int runs, const Once& once, int warm_ups = 2) {
  std::vector<double> ms;
  for (int i = -warm_ups; i < runs; ++i) {
    const double this_run = once();
    if (i >= 0) ms.push_back(this_run);
  }
  return TimingOf(std::move(ms));
}

// By the host's clock.
template <typename Work>
double Milliseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

// By the CPU time of this thread.
inline double ThreadMilliseconds() {
  timespec time;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) +
         1e-6 * static_cast<double>(time.tv_nsec);
}

}  // namespace halftoned::bench
