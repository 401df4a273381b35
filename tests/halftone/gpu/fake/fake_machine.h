// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a GPU that is not there: its memory, the queue of its work, and
// a plan of its faults (fake_gpu.h).

#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "base/descriptor.h"
#include "halftone/gpu/host/gpu.h"
#include "halftone/page/recipe.h"

namespace halftoned {

namespace cuda::gpu {
// Tickets of work, as the machine counts it.
struct Stream {
  std::atomic<uint64_t> last = 0;  // sessions share streams
};
struct Event {
  uint64_t last = 0;
};
}  // namespace cuda::gpu

namespace testing {

class Machine {
 public:
  explicit Machine(const std::string& plan) {
    size_t begin = 0;
    while (begin < plan.size()) {
      const size_t end = std::min(plan.find(',', begin), plan.size());
      const std::string step = plan.substr(begin, end - begin);
      const size_t is = step.find('=');
      if (is == std::string::npos) std::abort();
      steps_[step.substr(0, is)] = step.substr(is + 1);
      begin = end + 1;
    }
    if (steps_.contains("memory")) {
      memory_left_ = std::strtoull(steps_["memory"].c_str(), nullptr, 10);
    }
    const char* log = std::getenv("HALFTONED_FAKE_GPU_LOG");
    if (log) log_ = Descriptor(::open(log, O_WRONLY | O_APPEND | O_CLOEXEC));
    worker_ = std::thread([this] { Work(); });
  }
  bool IsSmall() const { return steps_.contains("small"); }
  ~Machine() {
    {
      const std::lock_guard lock(mutex_);
      is_ending_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }

  // Counts the call, and says what becomes of it.
  cuda::gpu::Outcome Call(const std::string& name) {
    std::unique_lock lock(mutex_);
    const std::string fault = Step(name);
    if (is_broken_) return Broken();
    if (fault == "hang") changed_.wait(lock, [this] { return is_ending_; });
    if (fault == "refused")
      return {cuda::gpu::Fault::kRefused, "out of memory"};
    if (fault == "absent") return {cuda::gpu::Fault::kAbsent, "no device"};
    if (fault == "mismatch")
      return {cuda::gpu::Fault::kMismatch, "driver mismatch"};
    if (fault == "broken") return Break("an unspecified failure");
    return {};
  }
  cuda::gpu::Outcome Misuse(const char* what) {
    const std::lock_guard lock(mutex_);
    return Break(what);
  }

  void Enqueue(cuda::gpu::Stream* stream, std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
    changed_.notify_all();
    stream->last = ++enqueued_;
  }
  bool IsDone(uint64_t ticket) {
    const std::lock_guard lock(mutex_);
    return done_ >= ticket;
  }
  cuda::gpu::Outcome WaitFor(uint64_t ticket) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_broken_ || done_ >= ticket; });
    return is_broken_ ? Broken() : cuda::gpu::Outcome();
  }
  // Until no work touches memory any more.
  void WaitForAll() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] {
      return done_ == enqueued_ || (is_broken_ && !is_working_);
    });
  }

  cuda::gpu::Outcome State() {
    const std::lock_guard lock(mutex_);
    return is_broken_ ? Broken() : cuda::gpu::Outcome();
  }

  // A kernel's duties besides its work.
  std::string KernelStep(const Recipe& recipe) {
    const std::lock_guard lock(mutex_);
    const std::string step = Step("kernel");
    if (!step.empty()) return step;
    const bool is_fine = recipe.algorithm() == Algorithm::kFine;
    return steps_[is_fine && steps_.contains("fine") ? "fine" : "check"];
  }
  void WaitForEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_ending_; });
  }

  bool TakeMemory(std::byte* memory, size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > memory_left_) return false;
    memory_left_ -= bytes;
    device_[memory] = bytes;
    return true;
  }
  void GiveMemory(std::byte* memory) {
    const std::lock_guard lock(mutex_);
    memory_left_ += device_[memory];
    device_.erase(memory);
  }
  void AddPinned(std::byte* memory, size_t bytes) {
    const std::lock_guard lock(mutex_);
    pinned_[memory] = bytes;
  }
  void RemovePinned(std::byte* memory) {
    const std::lock_guard lock(mutex_);
    pinned_.erase(memory);
  }
  bool IsPinned(const std::byte* memory, size_t bytes) {
    const std::lock_guard lock(mutex_);
    return Lies(pinned_, memory, bytes);
  }
  bool IsOnDevice(const std::byte* memory, size_t bytes) {
    const std::lock_guard lock(mutex_);
    return Lies(device_, memory, bytes);
  }
  size_t device_bytes() { return SumOf(device_); }
  size_t pinned_bytes() { return SumOf(pinned_); }

 private:
  using Pieces = std::map<const std::byte*, size_t>;

  static bool Lies(const Pieces& pieces, const std::byte* memory,
                   size_t bytes) {
    auto after = pieces.upper_bound(memory);
    if (after == pieces.begin()) return false;
    --after;
    return memory + bytes <= after->first + after->second;
  }
  size_t SumOf(const Pieces& pieces) {
    const std::lock_guard lock(mutex_);
    size_t sum = 0;
    for (const auto& [memory, bytes] : pieces) sum += bytes;
    return sum;
  }

  std::string Step(const std::string& name) {
    const auto step = steps_.find(name + ":" + std::to_string(++calls_[name]));
    if (step == steps_.end()) return "";
    if (log_.open()) {
      const std::string line = name + "=" + step->second + "\n";
      if (::write(log_.get(), line.data(), line.size()) < 0) std::abort();
    }
    return step->second;
  }
  cuda::gpu::Outcome Broken() { return {cuda::gpu::Fault::kBroken, what_}; }
  cuda::gpu::Outcome Break(const char* what) {
    if (!std::exchange(is_broken_, true)) what_ = what;
    changed_.notify_all();
    return Broken();
  }

  void Work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return is_ending_ || !queue_.empty(); });
      if (is_ending_) return;
      const std::function<void()> work = std::move(queue_.front());
      queue_.pop_front();
      if (is_broken_) continue;
      is_working_ = true;
      lock.unlock();
      work();
      lock.lock();
      is_working_ = false;
      ++done_;
      changed_.notify_all();
    }
  }

  std::map<std::string, std::string> steps_;
  Descriptor log_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, uint64_t> calls_;
  std::deque<std::function<void()>> queue_;
  uint64_t enqueued_ = 0;
  uint64_t done_ = 0;
  bool is_working_ = false;
  bool is_broken_ = false;
  const char* what_ = "";
  bool is_ending_ = false;
  size_t memory_left_ = size_t{1} << 30;
  Pieces device_, pinned_;
  std::thread worker_;
};

}  // namespace testing
}  // namespace halftoned
