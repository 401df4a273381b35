// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Defined if a program is built with AddressSanitizer or ThreadSanitizer.
extern "C" __attribute__((weak)) void __asan_init();
extern "C" __attribute__((weak)) void __tsan_init();

namespace halftoned {

// True if this program reserves far more memory than it uses, so that no memory
// limit suits it.
inline bool HasSanitizer() { return __asan_init || __tsan_init; }

}  // namespace halftoned
