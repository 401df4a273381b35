// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/workers/canary.h"

#include <sys/eventfd.h>

#include <utility>

#include "daemon/health_page.h"
#include "halftone/run/failover.h"
#include "wire/remote_engine.h"

namespace halftoned::daemon {
namespace {

Result<Descriptor> MakeEvent() {
  Descriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (event.open()) return event;
  return ErrnoError(ErrorCode::kUnavailable, "cannot make an event");
}

void Signal(const Descriptor& event) { ::eventfd_write(event.get(), 1); }

}  // namespace

Result<void> CheckWorker(const CheckOrder& order) {
  const wire::RemoteEngine remote(order.options);
  const FailoverEngine engine({&remote});
  for (const Recipe& recipe : order.recipes) {
    HALFTONED_TRY(CheckBits(engine, recipe));
  }
  return {};
}

Result<std::unique_ptr<Canary>> Canary::Make() {
  HALFTONED_TRY_ASSIGN(Descriptor done, MakeEvent());
  HALFTONED_TRY_ASSIGN(Descriptor stop, MakeEvent());
  return std::unique_ptr<Canary>(new Canary(std::move(done), std::move(stop)));
}

Canary::Canary(Descriptor done, Descriptor stop)
    : done_(std::move(done)),
      stop_(std::move(stop)),
      thread_(&Canary::Run, this) {}

Canary::~Canary() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  asked_.notify_one();
  Signal(stop_);
  thread_.join();
}

void Canary::Check(CheckOrder order) {
  order.options.stop_fd = stop_.get();
  {
    const std::lock_guard lock(mutex_);
    order_ = std::move(order);
  }
  asked_.notify_one();
}

std::optional<Result<void>> Canary::TakeResult() {
  eventfd_t count;
  ::eventfd_read(done_.get(), &count);
  const std::lock_guard lock(mutex_);
  return std::exchange(result_, std::nullopt);
}

void Canary::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    asked_.wait(lock, [this] { return is_ending_ || order_.has_value(); });
    if (is_ending_) return;
    const CheckOrder order = *std::exchange(order_, std::nullopt);
    lock.unlock();
    Result<void> result = CheckWorker(order);
    lock.lock();
    result_ = std::move(result);
    Signal(done_);
  }
}

}  // namespace halftoned::daemon
