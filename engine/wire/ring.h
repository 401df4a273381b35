// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two files in memory through which pixels travel (protocol.h), as each
// side sees them. All their memory is allocated before the other side gets them
// and cannot be removed, so reading and writing them cannot fault.

#pragma once

#include <span>

#include "base/descriptor.h"
#include "base/mapping.h"
#include "base/result.h"
#include "wire/protocol.h"

namespace halftoned::wire {

// The mappings of a side. The client writes gray and reads bits; the worker
// reads gray and writes bits.
struct RingMemory {
  Mapping gray;
  Mapping bits;
};

// The client's side.
struct MadeRing {
  RingMemory memory;
  // For the worker; close them once they are sent.
  Descriptor gray;
  Descriptor bits;
};
Result<MadeRing> MakeRing(const Ring& sizes);

// The worker's side, from two received descriptors. kBadInput unless they are
// sealed as required and have exactly the memory that `sizes` announces.
Result<RingMemory> AdoptRing(const Ring& sizes,
                             std::span<const Descriptor> files);

}  // namespace halftoned::wire
