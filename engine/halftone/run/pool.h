// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a process that do the work of its sessions. Each session has a
// queue; the threads serve jobs in turn, and a job's queues in turn, so that
// neither a large page nor a job of many pages delays others.
//
// Tasks of a queue begin in the order in which they were pushed, but may run at
// the same time. A task may wait for an earlier one of the same queue: that one
// has begun, so any number of threads is enough.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "halftone/run/turns.h"

namespace halftoned {

class Pool {
 public:
  static constexpr int kMaxThreads = 256;
  // The pool has no threads: each task runs in the Push that adds it.
  static constexpr int kCallersThread = -1;

  // Decides which job is next. Called by one thread at a time.
  class Order {
   public:
    virtual ~Order() = default;
    // Returns 0 … waiting - 1; 0 is the job that has waited longest.
    virtual size_t Next(size_t waiting) = 0;
  };

  // Limits the number of working threads beyond this process. Each thread
  // enters before a task and leaves after it; a thread that is refused tries
  // again after a pause. Called by one thread at a time.
  class Gate {
   public:
    virtual ~Gate() = default;
    // thread: 0 … kMaxThreads - 1, always the same for a thread.
    virtual bool TryEnter(int thread) = 0;
    virtual void Leave(int thread) = 0;
  };

  class Queue;

  // threads: 1 … kMaxThreads, or kCallersThread; 0: one per processor. They are
  // started on demand. Without an order, jobs take turns.
  explicit Pool(int threads = 0, std::unique_ptr<Order> order = nullptr,
                std::unique_ptr<Gate> gate = nullptr);
  // Precondition: no queue is left.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // The number of threads that can work for one caller at the same time; at
  // least 1.
  int threads() const { return threads_; }

 private:
  struct Thread {
    std::thread thread;
    std::condition_variable wake;
    bool is_woken = false;
  };

  void Work(int thread, Thread& self);
  // Waits until the gate admits the thread; false if no task is left by then.
  bool Enter(int thread, Thread& self, std::unique_lock<std::mutex>& lock);
  // Takes the thread that fell asleep last, to wake it: its caches still
  // contain parts of the page, and its CPU sleeps less deeply than those that
  // have been idle for long. Null if none sleeps.
  Thread* TakeSleeper();
  // Runs the next task.
  void RunNext(std::unique_lock<std::mutex>& lock);
  // False if there is no thread and none can be started.
  bool StartThreadIfNeeded();

  const bool has_threads_;
  const int threads_;
  const std::unique_ptr<Order> order_;
  const std::unique_ptr<Gate> gate_;

  std::mutex mutex_;
  std::condition_variable idle_;  // wakes queues that are being closed
  Turns<Queue*> waiting_;         // queues with tasks that have not begun
  std::deque<Thread> started_;
  std::vector<Thread*> sleepers_;  // the last one fell asleep last
  int running_ = 0;                // tasks of all queues
  size_t tasks_ = 0;               // of all queues, not begun
  size_t free_threads_ = 0;
  bool stop_ = false;
};

// One session's tasks. Its tasks may push further ones.
class Pool::Queue {
 public:
  // `pool` outlives the queue. Queues of a job share its turns; job 0: a job of
  // its own.
  explicit Queue(Pool& pool, uint64_t job = 0) : pool_(pool), job_(job) {}
  // Drops tasks that have not begun, and tasks that are pushed from now on.
  // Waits for running tasks.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // If the pool has no thread, and the system cannot start one, runs `task`
  // before it returns.
  void Push(const std::function<void()>& task);

  // The same, but returns false instead of running `task`.
  bool TryPush(std::function<void()> task);

  // To be called at the end of a task: its thread then looks for tasks, so no
  // other thread is woken. False, and `task` is not run, if no thread of the
  // pool runs a task, because Push ran the calling one.
  bool PushNext(std::function<void()> task);

  // The number of the pool's threads, minus that of other queues' tasks.
  int SpareThreads() const;

 private:
  friend class Pool;

  void Add(std::function<void()> task);

  Pool& pool_;
  const uint64_t job_;
  // Guarded by the pool's mutex.
  std::deque<std::function<void()>> tasks_;
  int running_ = 0;
  bool is_closing_ = false;
};

}  // namespace halftoned
