// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a program that is loaded with this: on SIGUSR2 it takes all the memory
// that it can have, and keeps it.

#include <signal.h>
#include <sys/mman.h>

namespace {

void TakeAll(int /*signal*/) {
  constexpr size_t kPiece = size_t{1} << 20;
  while (mmap(nullptr, kPiece, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
  }
}

__attribute__((constructor)) void Begin() { signal(SIGUSR2, TakeAll); }

}  // namespace
