// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/workers/worker_process.h"

#include <utility>

namespace halftoned::daemon {
namespace {

// Initializing a GPU takes seconds.
constexpr Duration kTimeToBeReady = std::chrono::seconds(30);
// From the end of its channel to the end of the process.
constexpr Duration kTimeUntilKill = std::chrono::seconds(2);
// A check takes a few milliseconds, unless the worker is busy.
constexpr Duration kQuick = std::chrono::milliseconds(250);

}  // namespace

Result<WorkerProcess> WorkerProcess::Start(uint32_t number, size_t kind,
                                           const WorkerKind& how, Instant now) {
  HALFTONED_TRY_ASSIGN(Control::Ends ends, Control::MakePair());
  std::vector<std::string> arguments = {"--number", std::to_string(number)};
  arguments.insert(arguments.end(), how.arguments.begin(), how.arguments.end());
  std::optional<uid_t> user;
  if (how.user) {
    user = how.user->uid;
    arguments.insert(arguments.end(), {"--uid", std::to_string(how.user->uid),
                                       "--gid", std::to_string(how.user->gid)});
  }
  HALFTONED_TRY_ASSIGN(Child child,
                       Child::Start(how.executable, arguments, ends.worker.fd(),
                                    kControlFd, user));
  return WorkerProcess(number, kind, std::move(child),
                       std::move(ends.supervisor), now);
}

WorkerProcess::WorkerProcess(uint32_t number, size_t kind, Child child,
                             Control control, Instant now)
    : number_(number),
      kind_(kind),
      child_(std::move(child)),
      control_(std::move(control)),
      started_(now),
      deadline_(now + kTimeToBeReady) {}

void WorkerProcess::Ask() {
  if (state_ == State::kStarting || state_ == State::kEnding) return;
  // Even if the worker does not read its messages.
  owes_report_ = true;
  if (!is_asked_) is_asked_ = control_.Send(FromSupervisor(daemon::Ask{})).ok();
}

void WorkerProcess::Drain(Instant deadline) {
  if (state_ == State::kDraining || state_ == State::kEnding) return;
  is_drained_ = true;
  if (state_ == State::kStarting ||
      !control_.Send(FromSupervisor(daemon::Drain{})).ok()) {
    Kill("it is no longer needed");
    return;
  }
  state_ = State::kDraining;
  deadline_ = deadline;
}

void WorkerProcess::NoteCheck(Duration took) {
  slow_checks_ = took > kQuick ? slow_checks_ + 1 : 0;
}

void WorkerProcess::Kill(std::string reason, Dying::Cause cause) {
  if (!reason_.empty()) return;
  dying_.cause = cause;
  state_ = State::kEnding;
  deadline_ = kNever;
  reason_ = std::move(reason);
  child_.Kill();
}

void WorkerProcess::Prepare(PollSet& set) const {
  set.Watch(child_.fd());
  if (state_ != State::kEnding) set.Watch(control_.fd());
  set.WakeAt(deadline_);
}

void WorkerProcess::Take(const FromWorker& message) {
  if (const Dying* dying = std::get_if<Dying>(&message)) {
    dying_ = *dying;
  } else if (const Ready* ready = std::get_if<Ready>(&message)) {
    if (ready->build != Ready::kBuild) return Kill("it is from another build");
    if (state_ != State::kStarting) return Kill("it reported ready twice");
    ready_ = *ready;
    state_ = State::kReady;
    deadline_ = kNever;
    // Only now: the last words of a worker that ends with an unread message
    // might be lost.
    auto board = Board::Make();
    if (board.ok() && control_.Send(Show{}, board->fd()).ok()) {
      board_ = std::make_shared<const Board>(std::move(*board));
    }
  } else if (state_ == State::kStarting) {
    Kill("it sent a message before it was ready");
  } else if (const Report* report = std::get_if<Report>(&message)) {
    owes_report_ = is_asked_ = false;
    report_ = *report;
    report_.connections.clear();
  }
}

void WorkerProcess::Listen(Instant now, std::vector<FromWorker>& said) {
  for (;;) {
    auto message = control_.ReceiveAsSupervisor();
    if (!message.ok()) {
      if (message.error().code == ErrorCode::kBug) {
        Kill(message.error().message);
      } else if (state_ != State::kEnding) {
        state_ = State::kEnding;
        deadline_ = now + kTimeUntilKill;
      }
      return;
    }
    if (!*message) return;
    Take(**message);
    said.push_back(std::move(**message));
  }
}

std::optional<std::string> WorkerProcess::Serve(const PollSet& set, Instant now,
                                                std::vector<FromWorker>& said) {
  const bool has_ended = set.IsReady(child_.fd());
  // Its last message tells why it ended, so read before reaping.
  if (has_ended || set.IsReady(control_.fd())) Listen(now, said);
  if (has_ended) {
    const std::optional<std::string> end = child_.Reap();
    if (end) return reason().empty() ? *end : reason() + ": " + *end;
  }
  if (now >= deadline_) {
    Kill(state_ == State::kStarting   ? "it was not ready in time"
         : state_ == State::kDraining ? "it did not finish in time"
                                      : "it did not exit");
  }
  return std::nullopt;
}

}  // namespace halftoned::daemon
