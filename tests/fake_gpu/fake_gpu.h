// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU that is none, in the place of CUDA's (gpu.h): work is done by a thread
// of this process, in the order in which it was enqueued, and calls fail when a
// plan says so. What CUDA would not do well with is an error here: memory that
// is not pinned, work after a fault.
//
//   plan   = [ step { "," step } ]
//   step   = call ":" number "=" fault      the number-th call, from 1 on
//          | "kernel" ":" number "=" ( "broken" | "wrong" | "hang" )
//          | "memory" "=" bytes             that the device has
//          | "small" "=" "yes"              too small for recipes that spread
//          | "check" "=" "wrong"            every kernel gives a wrong bit
//   call   = "attach" | "learn" | "device-memory" | "pinned-memory" | "pin"
//          | "stream" | "event" | "copy-up" | "copy-down" | "fill" | "launch"
//          | "record" | "follow" | "query" | "wait" | "drain"
//   fault  = "refused" | "absent" | "mismatch" | "broken" | "hang"
//
// A kernel that is "broken" has touched memory that is not there: from then on
// every call fails. What hangs never ends.

#ifndef HALFTONED_TESTS_FAKE_GPU_FAKE_GPU_H_
#define HALFTONED_TESTS_FAKE_GPU_FAKE_GPU_H_

#include <cstddef>
#include <string>

namespace halftoned::testing {

// A new GPU with this plan; nothing of the last one is in use any more.
// The first has the plan of $HALFTONED_FAKE_GPU.
void ResetFakeGpu(const std::string& plan = "");

// Of the device's memory, and of pinned memory: bytes that are in use.
size_t FakeGpuMemory();
size_t FakeGpuPinned();

}  // namespace halftoned::testing

#endif  // HALFTONED_TESTS_FAKE_GPU_FAKE_GPU_H_
