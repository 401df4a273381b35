// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the CUDA bench, and the output of their results.

#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "bench/bench_page.h"
#include "bench/timing.h"
#include "tests/equality/oracle.h"

namespace halftoned::bench {

inline constexpr int32_t kA4Width = 4960;  // 600 dpi
inline constexpr int32_t kA4Rows = 7016;

// Only figures whose names contain this text are measured.
inline std::string wanted;
inline bool IsWanted(const std::string& name) {
  return name.find(wanted) != std::string::npos;
}

// One line of the results' "figures", a JSON array.
inline void Report(const std::string& name, Timing timing, double pixels,
                   const std::string& more = "") {
  static bool first = true;
  std::printf(
      "%s\n    {\"name\": \"%s\", \"median_ms\": %.4f, "
      "\"best_ms\": %.4f, \"gpixels_per_s\": %.4g%s}",
      first ? "" : ",", name.c_str(), timing.median_ms, timing.best_ms,
      pixels / timing.median_ms / 1e6, more.c_str());
  first = false;
  std::fflush(stdout);
}

testing::GrayPage MakePage(int32_t width, int32_t rows, int depth,
                           Content content);

void BenchKernel();
void BenchSwaps();
void BenchSessions();

}  // namespace halftoned::bench
