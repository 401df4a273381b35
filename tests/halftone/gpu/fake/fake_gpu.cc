// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/halftone/gpu/fake/fake_gpu.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "base/descriptor.h"
#include "halftone/gpu/host/gpu.h"
#include "tests/halftone/gpu/fake/fake_kernel.h"

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
namespace {

using cuda::gpu::Fault;
using cuda::gpu::Outcome;

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
  Outcome Call(const std::string& name) {
    std::unique_lock lock(mutex_);
    const std::string fault = Step(name);
    if (is_broken_) return Broken();
    if (fault == "hang") changed_.wait(lock, [this] { return is_ending_; });
    if (fault == "refused") return {Fault::kRefused, "out of memory"};
    if (fault == "absent") return {Fault::kAbsent, "no device"};
    if (fault == "mismatch") return {Fault::kMismatch, "driver mismatch"};
    if (fault == "broken") return Break("an unspecified failure");
    return {};
  }
  Outcome Misuse(const char* what) {
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
  Outcome WaitFor(uint64_t ticket) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_broken_ || done_ >= ticket; });
    return is_broken_ ? Broken() : Outcome();
  }
  // Until no work touches memory any more.
  void WaitForAll() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] {
      return done_ == enqueued_ || (is_broken_ && !is_working_);
    });
  }

  Outcome State() {
    const std::lock_guard lock(mutex_);
    return is_broken_ ? Broken() : Outcome();
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
  Outcome Broken() { return {Fault::kBroken, what_}; }
  Outcome Break(const char* what) {
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

std::unique_ptr<Machine>& TheMachine() {
  static auto machine = std::make_unique<Machine>(
      std::getenv("HALFTONED_FAKE_GPU") ? std::getenv("HALFTONED_FAKE_GPU")
                                        : "");
  return machine;
}
Machine& machine() { return *TheMachine(); }

void RunKernel(const cuda::Batch& batch, const Recipe& recipe) {
  const cuda::BandJob& job = batch.jobs[0];
  const std::string step = machine().KernelStep(recipe);
  const auto is_called_off = [&job] {
    return __atomic_load_n(job.called_off, __ATOMIC_RELAXED) != 0;
  };
  if (step == "broken") {
    (void)machine().Misuse("an illegal memory access was encountered");
    return;
  }
  if (step == "hang") {
    machine().WaitForEnd();
    return;
  }
  if (is_called_off()) {
    *job.verdict = cuda::kVerdictGaveUp;
    return;
  }
  if (!RunFakeKernel(job, recipe)) {
    (void)machine().Misuse("the states above a band are not there");
    return;
  }
  if (step == "wrong") job.bits[0] ^= std::byte{0x80};
}

Outcome Copy(const cuda::gpu::Rows& rows, bool is_up, cuda::gpu::Stream* stream,
             const char* call) {
  const Outcome outcome = machine().Call(call);
  if (outcome.fault != Fault::kNone) return outcome;
  const auto end_of = [&](size_t pitch) {
    return (rows.rows - 1) * pitch + rows.row_bytes;
  };
  const std::byte* host = is_up ? rows.from : rows.to;
  const std::byte* device = is_up ? rows.to : rows.from;
  const size_t host_bytes = end_of(is_up ? rows.from_pitch : rows.to_pitch);
  const size_t device_bytes = end_of(is_up ? rows.to_pitch : rows.from_pitch);
  if (!machine().IsPinned(host, host_bytes)) {
    return machine().Misuse("memory is not pinned");
  }
  if (!machine().IsOnDevice(device, device_bytes)) {
    return machine().Misuse("memory is not the device's");
  }
  machine().Enqueue(stream, [rows] {
    for (size_t i = 0; i < rows.rows; ++i) {
      std::memcpy(rows.to + i * rows.to_pitch, rows.from + i * rows.from_pitch,
                  rows.row_bytes);
    }
  });
  return {};
}

}  // namespace

void ResetFakeGpu(const std::string& plan) {
  TheMachine() = nullptr;
  TheMachine() = std::make_unique<Machine>(plan);
}
size_t FakeGpuMemory() { return machine().device_bytes(); }
size_t FakeGpuPinned() { return machine().pinned_bytes(); }

}  // namespace testing

namespace cuda::gpu {

using testing::machine;

Versions VersionsHere() { return {.runtime = 13000, .driver = 12020}; }

Outcome Attach(int ordinal) {
  const Outcome outcome = machine().Call("attach");
  if (outcome.fault != Fault::kNone || ordinal == 0) return outcome;
  return {Fault::kAbsent, "no device"};
}

Outcome Learn(int, Facts* facts) {
  facts->name = "a GPU made up by a test";
  facts->uuid = "GPU-00000000-0000-0000-0000-000000000001";
  facts->memory_bytes = size_t{1} << 30;
  facts->multiprocessors = 4;
  facts->collecting_blocks_per_multiprocessor = 4;
  facts->spreading_blocks_per_multiprocessor = machine().IsSmall() ? 0 : 2;
  return machine().Call("learn");
}

Outcome AllocateDevice(std::byte** memory, size_t bytes) {
  const Outcome outcome = machine().Call("device-memory");
  if (outcome.fault != Fault::kNone) return outcome;
  auto allocated = std::make_unique<std::byte[]>(bytes);
  if (!machine().TakeMemory(allocated.get(), bytes)) {
    return {Fault::kRefused, "out of memory"};
  }
  *memory = allocated.release();
  return {};
}
void FreeDevice(std::byte* memory) {
  machine().WaitForAll();
  machine().GiveMemory(memory);
  delete[] memory;
}

Outcome AllocatePinned(std::byte** memory, size_t bytes) {
  const Outcome outcome = machine().Call("pinned-memory");
  if (outcome.fault != Fault::kNone) return outcome;
  *memory = new std::byte[bytes];
  machine().AddPinned(*memory, bytes);
  return {};
}
void FreePinned(std::byte* memory) {
  machine().WaitForAll();
  machine().RemovePinned(memory);
  delete[] memory;
}

Outcome Pin(std::byte* memory, size_t bytes, bool) {
  const Outcome outcome = machine().Call("pin");
  if (outcome.fault == Fault::kNone) machine().AddPinned(memory, bytes);
  return outcome;
}
void Unpin(std::byte* memory) {
  machine().WaitForAll();
  machine().RemovePinned(memory);
}

Outcome MakeStream(Stream** stream) {
  const Outcome outcome = machine().Call("stream");
  if (outcome.fault == Fault::kNone) *stream = new Stream;
  return outcome;
}
void EndStream(Stream* stream) { delete stream; }
Outcome MakeEvent(Event** event) {
  const Outcome outcome = machine().Call("event");
  if (outcome.fault == Fault::kNone) *event = new Event;
  return outcome;
}
void EndEvent(Event* event) { delete event; }

Outcome CopyUp(const Rows& rows, Stream* stream) {
  return testing::Copy(rows, true, stream, "copy-up");
}
Outcome CopyDown(const Rows& rows, Stream* stream) {
  return testing::Copy(rows, false, stream, "copy-down");
}
Outcome Fill(std::byte* device, int byte, size_t bytes, Stream* stream) {
  const Outcome outcome = machine().Call("fill");
  if (outcome.fault != Fault::kNone) return outcome;
  if (!machine().IsOnDevice(device, bytes)) {
    return machine().Misuse("memory is not the device's");
  }
  machine().Enqueue(
      stream, [device, byte, bytes] { std::memset(device, byte, bytes); });
  return {};
}
Outcome Launch(const Batch& batch, const Recipe& recipe, Stream* stream) {
  const Outcome outcome = machine().Call("launch");
  if (outcome.fault != Fault::kNone) return outcome;
  machine().Enqueue(stream,
                    [batch, recipe] { testing::RunKernel(batch, recipe); });
  return {};
}

Outcome Swap(const SwapJob& job, Stream* stream) {
  const Outcome outcome = machine().Call("swap");
  if (outcome.fault != Fault::kNone) return outcome;
  machine().Enqueue(stream, [job] { testing::RunFakeSwaps(job); });
  return {};
}

Outcome Record(Event* event, Stream* stream) {
  event->last = stream->last;
  return machine().Call("record");
}
// All streams are one queue.
Outcome Follow(Event*, Stream*) { return machine().Call("follow"); }
// How often somebody asks too early is chance, and does not count.
Outcome Query(Event* event) {
  if (machine().IsDone(event->last)) return machine().Call("query");
  return {Fault::kNotReady, "not ready"};
}
Outcome Wait(Event* event) {
  const Outcome outcome = machine().Call("wait");
  if (outcome.fault != Fault::kNone) return outcome;
  return machine().WaitFor(event->last);
}
Outcome Drain(Stream* stream) {
  const Outcome outcome = machine().Call("drain");
  if (outcome.fault != Fault::kNone) return outcome;
  return machine().WaitFor(stream->last);
}

}  // namespace cuda::gpu
}  // namespace halftoned
