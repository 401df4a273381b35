// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/file/last_words.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace halftoned {
namespace {

// A global, since a std::terminate handler gets no argument.
std::atomic<PendingFiles*> files = nullptr;

// Allocates no memory.
void SayWhy() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    std::fputs("halftone: not enough memory\n", stderr);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "halftone: %s\n", exception.what());
  }
}

[[noreturn]] void End() {
  if (PendingFiles* pending = files) pending->DeleteAllForGood();
  if (!std::current_exception()) std::abort();
  SayWhy();
  ::_exit(1);
}

}  // namespace

void PrepareLastWords() { std::set_terminate(End); }

LastWordsFiles::LastWordsFiles(PendingFiles& pending) { files = &pending; }
LastWordsFiles::~LastWordsFiles() { files = nullptr; }

}  // namespace halftoned
