// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the papers' bench, what they measure on, and how they write
// down what they measured.

#ifndef HALFTONED_TESTS_BENCH_PAPERS_PAPERS_BENCH_H_
#define HALFTONED_TESTS_BENCH_PAPERS_PAPERS_BENCH_H_

#include <string>
#include <vector>

#include "tests/bench/timing.h"
#include "tests/equality/oracle.h"
#include "tests/papers/counted.h"

namespace halftoned::bench {

struct Size {
  int32_t width;
  int32_t rows;
};

// The squares of the tables of Kasagi, Nakano and Ito, in units of 1024.
inline constexpr int kSquares[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16};
// The pictures of Deshpande, Misra and Narayanan, and two squares beside them.
inline constexpr Size kSharedSizes[] = {{1024, 768},  {1024, 2048},
                                        {6042, 3298}, {4096, 4096},
                                        {8192, 8192}, {16384, 16384}};

// Few runs where they are long.
inline int RunsFor(const Size& size) { return size.width > 6200 ? 3 : 7; }

// What a figure is of. `group` is a part of a table, `name` a line of it.
struct Subject {
  std::string group;
  std::string name;
  Size size;
  int threads = 1;      // of the CPU
  int cpu_labels = 0;   // hand-over and hybrid
  int cpu_columns = 0;  // hybrid
};

// Writes a line of the results' "figures". `run`: without what brings the
// picture into the method's order and back.
void Report(const Subject& subject, Timing whole, const Timing* run = nullptr);
// The same for what was counted and not timed.
void ReportCounts(const Subject& subject, const papers::Counts& counts);

// 8-bit noise.
testing::GrayPage NoiseOf(const Size& size);

void CountAccesses();
void BenchCpu(const std::vector<int>& squares);
void SweepCpu();
// Nothing where there is no GPU, or the build is without CUDA.
std::string GpuName();
void BenchGpu(const std::vector<int>& squares);
void SweepGpu();

}  // namespace halftoned::bench

#endif  // HALFTONED_TESTS_BENCH_PAPERS_PAPERS_BENCH_H_
