// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/reused_threads.h"

#include <pthread.h>

#include <chrono>
#include <memory>
#include <utility>

namespace halftoned {
namespace {

constexpr size_t kStack = 512 << 10;
constexpr std::chrono::minutes kLongestIdle{10};

}  // namespace

ReusedThreads::~ReusedThreads() {
  std::unique_lock lock(mutex_);
  is_ending_ = true;
  changed_.notify_all();
  ended_.wait(lock, [this] { return threads_ == 0; });
}

bool ReusedThreads::Run(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  if (idle_ > 0) {
    --idle_;
    tasks_.push_back(std::move(task));
    changed_.notify_one();
    return true;
  }
  const bool is_started = Start(std::move(task));
  if (is_started) ++threads_;
  return is_started;
}

bool ReusedThreads::Start(std::function<void()> task) {
  struct Given {
    ReusedThreads& threads;
    std::function<void()> task;
  };
  auto given = std::make_unique<Given>(Given{*this, std::move(task)});
  pthread_attr_t form;
  pthread_attr_init(&form);
  pthread_attr_setdetachstate(&form, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&form, kStack);
  pthread_t thread;
  const int error = pthread_create(
      &thread, &form,
      [](void* data) -> void* {
        const std::unique_ptr<Given> taken(static_cast<Given*>(data));
        taken->threads.Work(std::move(taken->task));
        return nullptr;
      },
      given.get());
  pthread_attr_destroy(&form);
  if (error == 0) (void)given.release();
  return error == 0;
}

void ReusedThreads::Work(std::function<void()> task) {
  while (task) {
    task();
    task = nullptr;  // it can keep a client's memory
    task = Next();
  }
  const std::lock_guard lock(mutex_);
  --threads_;
  ended_.notify_all();
}

std::function<void()> ReusedThreads::Next() {
  std::unique_lock lock(mutex_);
  ++idle_;
  changed_.wait_for(lock, kLongestIdle,
                    [this] { return !tasks_.empty() || is_ending_; });
  if (tasks_.empty()) {
    --idle_;
    return nullptr;
  }
  std::function<void()> task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

}  // namespace halftoned
