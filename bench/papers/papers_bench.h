// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the papers' bench, their pictures, and the output of their
// results.

#pragma once

#include <string>
#include <vector>

#include "bench/timing.h"
#include "tests/equality/oracle.h"

namespace halftoned::bench {

struct Size {
  int32_t width;
  int32_t rows;
};

// The squares of the tables of Kasagi, Nakano and Ito, in units of 1024.
inline constexpr int kSquares[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16};
// The pictures of Deshpande, Misra and Narayanan, and two squares.
inline constexpr Size kSharedSizes[] = {{1024, 768},  {1024, 2048},
                                        {6042, 3298}, {4096, 4096},
                                        {8192, 8192}, {16384, 16384}};

// Fewer runs for large pictures.
inline int RunsFor(const Size& size) { return size.width > 6200 ? 3 : 7; }

// The subject of a figure. group: a part of a table; name: a line of it.
struct Subject {
  std::string group;
  std::string name;
  Size size;
  int threads = 1;      // of the CPU
  int cpu_labels = 0;   // hand-over and hybrid
  int cpu_columns = 0;  // hybrid
};

// Writes a line of the results' "figures". run: the time without bringing the
// picture into the method's order and back.
void Report(const Subject& subject, Timing whole, const Timing* run = nullptr);

// 8-bit noise.
testing::GrayPage NoiseOf(const Size& size);

// Empty without a GPU, or in a build without CUDA.
std::string GpuName();
void BenchGpu(const std::vector<int>& squares);
void SweepGpu();

}  // namespace halftoned::bench
