// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/run/pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace halftoned {
namespace {

int ThreadsFor(int wanted) {
  if (wanted == Pool::kCallersThread) return 1;
  const int processors =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::min(wanted > 0 ? wanted : processors, Pool::kMaxThreads);
}

}  // namespace

Pool::Pool(int threads, std::unique_ptr<Order> order,
           std::unique_ptr<Gate> gate)
    : has_threads_(threads != kCallersThread),
      threads_(ThreadsFor(threads)),
      order_(std::move(order)),
      gate_(std::move(gate)) {}

Pool::~Pool() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  for (Thread& each : started_) each.wake.notify_one();
  for (Thread& each : started_) each.thread.join();
}

void Pool::Work(int thread, Thread& self) {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++free_threads_;
    while (!stop_ && waiting_.empty()) {
      self.is_woken = false;
      sleepers_.push_back(&self);  // has room for every thread
      self.wake.wait(lock, [&] { return stop_ || self.is_woken; });
    }
    --free_threads_;
    if (stop_) return;
    if (!gate_) {
      RunNext(lock);
    } else if (Enter(thread, self, lock)) {
      RunNext(lock);
      gate_->Leave(thread);
    }
  }
}

Pool::Thread* Pool::TakeSleeper() {
  if (sleepers_.empty()) return nullptr;
  Thread* const last = sleepers_.back();
  sleepers_.pop_back();
  last->is_woken = true;
  return last;
}

// A task begins only after its thread has entered, so waiting for a task that
// has begun means waiting for a running thread.
bool Pool::Enter(int thread, Thread& self, std::unique_lock<std::mutex>& lock) {
  constexpr std::chrono::milliseconds kPause{10};
  while (!waiting_.empty()) {
    if (gate_->TryEnter(thread)) return true;
    if (self.wake.wait_for(lock, kPause, [this] { return stop_; })) {
      return false;
    }
  }
  return false;
}

void Pool::RunNext(std::unique_lock<std::mutex>& lock) {
  const size_t next = order_ ? order_->Next(waiting_.jobs()) : 0;
  Queue* queue = waiting_.Next(next);
  std::function<void()> task = std::move(queue->tasks_.front());
  queue->tasks_.pop_front();
  --tasks_;
  ++queue->running_;
  ++running_;
  if (queue->tasks_.empty()) {
    waiting_.Drop(next);
  } else {
    waiting_.Rotate(next);
  }
  lock.unlock();
  task();
  task = nullptr;  // destroy its captures before the queue can be closed
  lock.lock();
  --running_;
  if (--queue->running_ == 0) idle_.notify_all();
}

// Precondition: the mutex is held. A failure to start another thread is
// tolerated as long as one runs.
bool Pool::StartThreadIfNeeded() {
  if (!has_threads_) return false;
  const auto started = static_cast<int>(started_.size());
  if (tasks_ < free_threads_ || started == threads_) return true;
  sleepers_.reserve(started_.size() + 1);
  Thread& next = started_.emplace_back();
  try {
    next.thread = std::thread([this, started, &next] { Work(started, next); });
  } catch (const std::system_error&) {
    started_.pop_back();
    return started > 0;
  } catch (...) {
    started_.pop_back();
    throw;
  }
  return true;
}

void Pool::Queue::Push(const std::function<void()>& task) {
  if (!TryPush(task)) task();
}

bool Pool::Queue::TryPush(std::function<void()> task) {
  Thread* sleeper;
  {
    std::lock_guard lock(pool_.mutex_);
    if (!pool_.StartThreadIfNeeded()) return false;
    Add(std::move(task));
    sleeper = pool_.TakeSleeper();
  }
  // Threads that work look for tasks themselves when they are done.
  if (sleeper) sleeper->wake.notify_one();
  return true;
}

bool Pool::Queue::PushNext(std::function<void()> task) {
  std::lock_guard lock(pool_.mutex_);
  if (pool_.running_ == 0) return false;
  Add(std::move(task));
  return true;
}

// Precondition: the mutex is held.
void Pool::Queue::Add(std::function<void()> task) {
  if (is_closing_) return;
  if (tasks_.empty()) pool_.waiting_.Add(job_, this);
  try {
    tasks_.push_back(std::move(task));
  } catch (...) {
    if (tasks_.empty()) pool_.waiting_.Remove(this);
    throw;
  }
  ++pool_.tasks_;
}

int Pool::Queue::SpareThreads() const {
  std::lock_guard lock(pool_.mutex_);
  const auto tasks = static_cast<int>(pool_.tasks_ - tasks_.size());
  return pool_.threads_ - tasks - (pool_.running_ - running_);
}

Pool::Queue::~Queue() {
  std::unique_lock lock(pool_.mutex_);
  is_closing_ = true;
  pool_.waiting_.Remove(this);
  pool_.tasks_ -= tasks_.size();
  tasks_.clear();
  pool_.idle_.wait(lock, [this] { return running_ == 0; });
}

}  // namespace halftoned
