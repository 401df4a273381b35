// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/stop.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace halftoned {
namespace {

// Global, because a signal handler gets no argument.
std::atomic<Stop*> stop_of_signals = nullptr;

void HandleSignal(int) {
  const int saved_errno = errno;
  if (Stop* stop = stop_of_signals.load()) stop->Request();
  errno = saved_errno;
}

}  // namespace

Result<Stop> Stop::Make() {
  Descriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event.open()) return ErrnoError(ErrorCode::kIo, "eventfd");
  return Stop(std::move(event));
}

void Stop::Request() noexcept {
  requested_.store(true, std::memory_order_release);
  const uint64_t one = 1;
  // This fails only if the event's counter is full, and then it is set.
  [[maybe_unused]] const ssize_t put = ::write(event_.get(), &one, sizeof(one));
}

void StopOnSignals(Stop& stop) {
  stop_of_signals = &stop;
  struct sigaction action = {};
  action.sa_handler = HandleSignal;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: a waiting system call must return to see the stop.
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

}  // namespace halftoned
