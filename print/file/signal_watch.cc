// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/file/signal_watch.h"

#include <pthread.h>

namespace halftoned {
namespace {

// Signals that the parent process has set to be ignored stay ignored (nohup).
sigset_t SignalsToWatch() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM,
                     SIGVTALRM, SIGUSR2}) {
    struct sigaction action;
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&signals, signal);
  }
  // The destructor wakes the thread with this signal, even if all the others
  // are ignored.
  sigaddset(&signals, SIGUSR1);
  return signals;
}

}  // namespace

SignalWatch::SignalWatch(PendingFiles& pending)
    : pending_(pending), signals_(SignalsToWatch()) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  pthread_sigmask(SIG_BLOCK, &signals_, &old_mask_);
  thread_ = std::thread([this] { Wait(); });
}

SignalWatch::~SignalWatch() {
  done_ = true;
  pthread_kill(thread_.native_handle(), SIGUSR1);
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void SignalWatch::Wait() {
  int signal = 0;
  while (sigwait(&signals_, &signal) != 0) {
  }
  if (done_) return;
  pending_.DeleteAllForGood();
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
}

}  // namespace halftoned
