// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine's interface to a GPU, as plain functions: the host's part of the
// engine uses nothing else of CUDA. gpu.cu implements it with CUDA's runtime; a
// program can be linked with something else instead, such as the fake GPU of a
// test.
//
// Any thread that has called Attach may call these functions. Work that is
// enqueued on a stream is done later, in the stream's order; only Wait and
// Drain wait for it.

#pragma once

#include <cstddef>
#include <string>

#include "halftone/gpu/common/band_job.h"
#include "halftone/gpu/common/swap_job.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda::gpu {

enum class Fault {
  kNone,
  kNotReady,  // from Query: the work before the event is not done
  kRefused,   // for lack of memory, or because the system does not allow it
  kAbsent,    // there is no such GPU, or no driver
  kMismatch,  // the versions of the driver's parts differ
  kBroken,    // the GPU, or this process' part of it, is no longer usable
};

struct [[nodiscard]] Outcome {
  Fault fault = Fault::kNone;
  const char* text = "";  // for a person; constant
};

struct Facts {
  std::string name;
  std::string uuid;  // "GPU-…"
  size_t memory_bytes = 0;
  int multiprocessors = 0;
  // How many blocks of KernelKind::kCollecting and of kSpreading a
  // multiprocessor can hold; 0 for the latter if a block cannot have the shared
  // memory that it needs.
  int collecting_blocks_per_multiprocessor = 0;
  int spreading_blocks_per_multiprocessor = 0;
};

struct Stream;
struct Event;

// Rows of the same length, at a constant distance from one another.
struct Rows {
  std::byte* to;
  size_t to_pitch;
  const std::byte* from;
  size_t from_pitch;
  size_t row_bytes;
  size_t rows;
};

// Versions of CUDA, 1000 · major + 10 · minor: the version of the runtime that
// is linked in, and the one that the driver supports, 0 without a driver. A
// driver supports all versions of a major number.
struct Versions {
  int runtime = 0;
  int driver = 0;
};
Versions VersionsHere();

// ordinal: as the runtime counts the GPUs that this process may use.
Outcome Attach(int ordinal);
Outcome Learn(int ordinal, Facts* facts);

Outcome AllocateDevice(std::byte** memory, size_t bytes);
void FreeDevice(std::byte* memory);
// Allocates memory of the host, for copies at the bus' full rate.
Outcome AllocatePinned(std::byte** memory, size_t bytes);
void FreePinned(std::byte* memory);
// The same for existing memory. The memory may be mapped read-only unless
// is_written.
Outcome Pin(std::byte* memory, size_t bytes, bool is_written);
void Unpin(std::byte* memory);

Outcome MakeStream(Stream** stream);
void EndStream(Stream* stream);
Outcome MakeEvent(Event** event);
void EndEvent(Event* event);

// Between pinned memory and the device's.
Outcome CopyUp(const Rows& rows, Stream* stream);
Outcome CopyDown(const Rows& rows, Stream* stream);
Outcome Fill(std::byte* device, int byte, size_t bytes, Stream* stream);
// recipe: that of all jobs.
Outcome Launch(const Batch& batch, const Recipe& recipe, Stream* stream);
Outcome Swap(const SwapJob& job, Stream* stream);

// The event covers everything before it on the stream.
Outcome Record(Event* event, Stream* stream);
Outcome Follow(Event* event, Stream* stream);  // later work on the stream waits
Outcome Query(Event* event);
Outcome Wait(Event* event);
Outcome Drain(Stream* stream);

}  // namespace halftoned::cuda::gpu
