// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/stop_signal.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace halftoned {
namespace {

// Global, because a signal handler gets no argument.
std::atomic<int> stop_eventfd = -1;
std::atomic<uint64_t> stop_number = 0;

void HandleStopSignal(int) {
  const int saved_errno = errno;
  const uint64_t number = stop_number.load();
  [[maybe_unused]] const ssize_t put =
      ::write(stop_eventfd.load(), &number, sizeof(number));
  errno = saved_errno;
}

}  // namespace

void AddOnStopSignals(int eventfd, uint64_t number) {
  stop_eventfd = eventfd;
  stop_number = number;
  struct sigaction action = {};
  action.sa_handler = HandleStopSignal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
}

}  // namespace halftoned
