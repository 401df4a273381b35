// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How PAPPL's process divides its memory, the option server-memory. Half is for
// pictures. A quarter is for jobs of sheets: first for the work on them, and
// then for halftoned rows that wait for printers. The rest is for everything
// else. The front end restarts the process when a sixteenth is left.

#pragma once

#include <cstddef>
#include <cstdint>

namespace halftoned {

// Bytes.
int64_t MemoryOfProcess();

constexpr int64_t MemoryForPictures(int64_t of_process) {
  return of_process / 2;
}

constexpr size_t MemoryForSheets(int64_t of_process) {
  return static_cast<size_t>(of_process / 4);
}

// Bytes for each renderer: the stacks of its threads, and the rows that they
// work on. It was measured: 20 MiB for gray A4 at 600 dpi.
constexpr size_t kWorkOnSheets = size_t{20} << 20;

}  // namespace halftoned
