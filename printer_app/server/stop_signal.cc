// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/stop_signal.h"

#include <signal.h>
#include <sys/signalfd.h>

namespace halftoned {
namespace {

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  // nohup(1) starts programs with SIGHUP ignored.
  struct sigaction hangup;
  const bool is_ignored =
      !sigaction(SIGHUP, nullptr, &hangup) && hangup.sa_handler == SIG_IGN;
  if (!is_ignored) sigaddset(&signals, SIGHUP);
  return signals;
}

}  // namespace

void HoldStopSignals() {
  // An ignored signal would never become pending.
  signal(SIGTERM, SIG_DFL);
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

Descriptor HeldStopSignals() {
  const sigset_t signals = StopSignals();
  return Descriptor(signalfd(-1, &signals, SFD_CLOEXEC));
}

}  // namespace halftoned
