// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine/gpu_engine.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <variant>

#include "base/unix_socket.h"

namespace halftoned {
namespace {

constexpr char kEngine[] = "cuda";  // the worker's name for this engine

wire::RemoteOptions OnAGpu(wire::RemoteOptions options) {
  options.engine = kEngine;
  return options;
}

wire::RemoteOptions At(OwnWorker& worker) {
  wire::RemoteOptions options;
  options.engine = kEngine;
  options.connect = [&worker] { return worker.Connect(); };
  return options;
}

}  // namespace

GpuEngine::GpuEngine(wire::RemoteOptions of_daemon, std::string executable)
    : worker_(std::make_unique<OwnWorker>(std::move(executable))),
      of_daemon_(OnAGpu(std::move(of_daemon))),
      own_(At(*worker_)) {}

Result<void> GpuEngine::Probe() const {
  return of_daemon_.Probe().ok() ? Result<void>() : own_.Probe();
}

Result<std::unique_ptr<Session>> GpuEngine::Open(const PageOrder& order) const {
  return of_daemon_.Probe().ok() ? of_daemon_.Open(order) : own_.Open(order);
}

namespace {

// Initializing a GPU takes seconds.
constexpr int kMillisecondsToBeReady = 30'000;

// Starts the process with `channel` as its descriptor kControlFd.
Result<pid_t> Spawn(const std::string& executable, int channel) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) {
    return Unavailable("out of memory");
  }
  ::posix_spawn_file_actions_adddup2(&actions, channel, daemon::kControlFd);
  // The worker is not confined: it serves only this user, and the GPU may need
  // a driver to be loaded.
  char confined_name[] = "--confined", confined[] = "0";
  char jobs_name[] = "--jobs", jobs[] = "1";
  std::string name = executable;
  char* arguments[] = {name.data(), confined_name, confined,
                       jobs_name,   jobs,          nullptr};
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, executable.c_str(), &actions, nullptr,
                                  arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return pid;
  if (error == ENOENT) {
    return Unavailable("the GPU worker is not installed: no " + executable);
  }
  return Unavailable(executable + ": " + std::strerror(error));
}

}  // namespace

OwnWorker::~OwnWorker() {
  if (pid_ == 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Result<Descriptor> OwnWorker::Connect() {
  const std::lock_guard lock(mutex_);
  if (failed_) return *failed_;
  if (!control_) {
    const Result<void> started = Start();
    if (!started.ok()) return *(failed_ = started.error());
  }
  HALFTONED_TRY(Listen());
  HALFTONED_TRY_ASSIGN(auto pair, MakeSocketPair(SOCK_STREAM));
  daemon::Adopt adopt;
  adopt.connection = ++connections_;
  HALFTONED_TRY(
      control_->Send(daemon::FromSupervisor(adopt), pair.second.get()));
  return std::move(pair.first);
}

Result<void> OwnWorker::Start() {
  {
    // This process must close the worker's end, so that its own end shows when
    // the worker has exited.
    HALFTONED_TRY_ASSIGN(auto ends, daemon::Control::MakePair());
    HALFTONED_TRY_ASSIGN(pid_, Spawn(executable_, ends.worker.fd()));
    control_.emplace(std::move(ends.supervisor));
  }
  return WaitUntilReady();
}

Result<void> OwnWorker::WaitUntilReady() {
  pollfd channel{control_->fd(), POLLIN, 0};
  int changed;
  do {
    changed = ::poll(&channel, 1, kMillisecondsToBeReady);
  } while (changed < 0 && errno == EINTR);
  if (changed <= 0) return Unavailable(executable_ + " was not ready in time");
  return Listen();
}

Result<void> OwnWorker::Listen() {
  for (;;) {
    const auto message = control_->ReceiveAsSupervisor();
    if (!message.ok()) return Unavailable(executable_ + " has ended");
    if (!*message) return {};
    if (const auto* dying = std::get_if<daemon::Dying>(&**message)) {
      return Unavailable(dying->reason);
    }
    const auto* ready = std::get_if<daemon::Ready>(&**message);
    if (ready && ready->build != daemon::Ready::kBuild) {
      return Unavailable(executable_ + " is from another build");
    }
  }
}

}  // namespace halftoned
