// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes halftone a program that once does not get its memory: the allocation
// whose number, from 1 on, HALFTONE_FAILS_AT says. With 0 it gets all of them,
// and says on standard error at the end how many they were.

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace {

std::atomic<long> allocations = 0;

long FailsAt() {
  static const long number = std::atol(std::getenv("HALFTONE_FAILS_AT"));
  return number;
}

// Before main nothing can be done about it.
bool IsInMain() {
  static const std::terminate_handler at_start = std::get_terminate();
  return std::get_terminate() != at_start;
}

struct Teller {
  ~Teller() {
    if (FailsAt() == 0) std::fprintf(stderr, "%ld", allocations.load());
  }
} teller;

}  // namespace

void* operator new(size_t bytes) {
  const bool fails = IsInMain() && ++allocations == FailsAt();
  void* memory = fails ? nullptr : std::malloc(bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
