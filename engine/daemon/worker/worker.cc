// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/worker.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace halftoned::daemon {

Result<void> Worker::Run() {
  HALFTONED_TRY(StartLoops());
  HALFTONED_TRY(control_.Send(FromWorker(self_)));
  while (!shop_.draining || has_clients()) {
    if (end_by_ && *end_by_ <= Clock::now()) {
      return Unavailable("pages were still open when the worker had to exit");
    }
    HALFTONED_TRY(Wait());
  }
  // Tells the supervisor about the last connections too.
  return HandleNews();
}

Result<void> Worker::StartLoops() {
  HALFTONED_TRY_ASSIGN(Descriptor event, ReadyList::MakeEvent());
  news_.emplace(std::move(event));
  for (int i = 0; i < shop_.loops; ++i) {
    HALFTONED_TRY_ASSIGN(Descriptor loop_event, ReadyList::MakeEvent());
    const auto number = static_cast<uint64_t>(i);
    loops_.push_back(std::make_unique<ClientLoop>(
        shop_, std::move(loop_event), [this, number] { news_->Add(number); }));
  }
  return {};
}

Result<void> Worker::Wait() {
  // Once the supervisor is gone, its channel is not polled.
  const auto control_events =
      static_cast<short>(POLLIN | (control_.has_backlog() ? POLLOUT : 0));
  pollfd fds[] = {{end_by_ ? -1 : control_.fd(), control_events, 0},
                  {news_->fd(), POLLIN, 0}};
  int wait = -1;
  if (end_by_) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*end_by_ - Clock::now());
    wait = static_cast<int>(std::max<int64_t>(left.count(), 0));
  }
  if (::poll(fds, std::size(fds), wait) < 0 && errno != EINTR) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot wait for clients");
  }
  if (fds[1].revents != 0) {
    (void)news_->Take();
    HALFTONED_TRY(HandleNews());
  }
  if (fds[0].revents != 0) HALFTONED_TRY(HandleControl());
  return {};
}

Result<void> Worker::HandleNews() {
  for (const auto& loop : loops_) {
    ClientLoop::News news = loop->TakeNews();
    for (Closed& closed : news.closed) {
      // If this fails, the supervisor is gone; HandleControl notices.
      (void)control_.Send(FromWorker(std::move(closed)));
    }
    if (news.failure) return *news.failure;
  }
  return {};
}

Result<void> Worker::HandleControl() {
  for (;;) {
    Descriptor passed;
    const auto message = control_.ReceiveAsWorker(passed);
    if (!message.ok() || !control_.Flush().ok()) {
      end_by_ = Clock::now() + shop_.stop_patience;
      Drain();
      return {};
    }
    if (!*message) return {};
    if (const auto* adopt = std::get_if<daemon::Adopt>(&**message)) {
      Adopt(*adopt, std::move(passed));
    } else if (std::holds_alternative<daemon::Drain>(**message)) {
      Drain();
    } else if (const auto* dismiss = std::get_if<daemon::Dismiss>(&**message)) {
      for (const auto& loop : loops_) loop->Dismiss(dismiss->connection);
    } else if (std::holds_alternative<daemon::Show>(**message)) {
      auto board = Board::Open(std::move(passed));
      if (!board.ok()) continue;
      shop_.board = std::make_unique<Board>(std::move(*board));
    } else {
      HALFTONED_TRY(SendReport());
    }
  }
}

void Worker::Adopt(const daemon::Adopt& adopt, Descriptor socket) {
  if (!socket.open()) {
    (void)control_.Send(
        FromWorker(Closed{adopt.connection,
                          {},
                          "the worker has reached its limit of open files"}));
    return;
  }
  (void)control_.Send(FromWorker(Adopted{adopt.connection}));
  const auto& loop = *std::ranges::min_element(
      loops_, {}, [](const auto& each) { return each->clients(); });
  // The supervisor itself connects for health checks.
  loop->Adopt(adopt, std::move(socket), adopt.credentials.pid == ::getppid());
}

void Worker::Drain() {
  shop_.draining = true;
  for (const auto& loop : loops_) loop->Wake();
}

bool Worker::has_clients() const {
  return std::ranges::any_of(
      loops_, [](const auto& loop) { return loop->clients() > 0; });
}

Result<void> Worker::SendReport() {
  Report report;
  for (const auto& loop : loops_) loop->AddTo(report);
  // Connections missing from the report are known to be closed.
  HALFTONED_TRY(HandleNews());
  report.page_bytes = shop_.accounts.held().memory;
  if (shop_.device_bytes) report.device_bytes = shop_.device_bytes();
  return control_.Send(FromWorker(std::move(report)));
}

}  // namespace halftoned::daemon
