// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fake GPU that replaces CUDA's (gpu.h): a thread of this process does the
// work in the order in which it was enqueued, and calls fail when a plan says
// so. Misuse of CUDA is an error here: memory that is not pinned, work after a
// fault.
//
//   plan   = [ step { "," step } ]
//   step   = call ":" number "=" fault      the number-th call, from 1 on
//          | "kernel" ":" number "=" ( "broken" | "wrong" | "hang" )
//          | "memory" "=" bytes             that the device has
//          | "small" "=" "yes"              too small for recipes that spread
//          | "check" "=" "wrong"            every kernel gives a wrong bit
//          | "fine" "=" "wrong"             every kernel of fine does
//   call   = "attach" | "learn" | "device-memory" | "pinned-memory" | "pin"
//          | "stream" | "event" | "copy-up" | "copy-down" | "fill" | "launch"
//          | "swap" | "record" | "follow" | "query" | "wait" | "drain"
//   fault  = "refused" | "absent" | "mismatch" | "broken" | "hang"
//
// A "broken" kernel has accessed invalid memory: all later calls fail. A call
// that hangs never returns.

#pragma once

#include <cstddef>
#include <string>

namespace halftoned::testing {

// Starts a new GPU with this plan; nothing of the last one may be in use. The
// first has the plan of $HALFTONED_FAKE_GPU. If there is a file
// $HALFTONED_FAKE_GPU_LOG, each step that is taken adds a line to it:
// "call=fault". A worker may write to files of /dev alone.
void ResetFakeGpu(const std::string& plan = "");

// Bytes of device memory and of pinned memory that are in use.
size_t FakeGpuMemory();
size_t FakeGpuPinned();

}  // namespace halftoned::testing
