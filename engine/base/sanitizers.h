// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

// Defined if a program is built with AddressSanitizer or ThreadSanitizer.
extern "C" __attribute__((weak)) void __asan_init();
extern "C" __attribute__((weak)) void __tsan_init();
extern "C" __attribute__((weak)) void __sanitizer_set_report_fd(void* file);

namespace halftoned {

// True if this program reserves far more memory than it uses, so that no memory
// limit suits it.
inline bool HasSanitizer() { return __asan_init || __tsan_init; }

// Where a sanitizer writes its report.
inline void SetReportFile(intptr_t file) {
  if (!__sanitizer_set_report_fd) return;
  __sanitizer_set_report_fd(reinterpret_cast<void*>(file));
}

}  // namespace halftoned
