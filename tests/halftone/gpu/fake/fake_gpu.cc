// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/halftone/gpu/fake/fake_gpu.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/descriptor.h"
#include "halftone/gpu/host/gpu.h"
#include "tests/halftone/gpu/fake/fake_kernel.h"
#include "tests/halftone/gpu/fake/fake_machine.h"

namespace halftoned {

namespace testing {
namespace {

using cuda::gpu::Fault;
using cuda::gpu::Outcome;

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
