// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two files in memory through which pixels travel (protocol.h), as each
// side sees them. All of their memory is there before the other side has them,
// and nobody can take it away: reading and writing them cannot fail.

#ifndef HALFTONED_WIRE_RING_H_
#define HALFTONED_WIRE_RING_H_

#include <cstddef>
#include <span>

#include "base/descriptor.h"
#include "base/mapping.h"
#include "base/result.h"
#include "wire/protocol.h"

namespace halftoned::wire {

// What a side maps: gray, to write at the client's, to read at the worker's;
// bits the other way round.
struct RingMemory {
  Mapping gray;
  Mapping bits;
};

// The client's side.
struct MadeRing {
  RingMemory memory;
  // For the worker; to be closed when it has them.
  Descriptor gray;
  Descriptor bits;
};
Result<MadeRing> MakeRing(const Ring& sizes);

// The worker's side: two descriptors as they came. kBadInput unless they are
// sealed as they must be and have all the memory that `sizes` says.
Result<RingMemory> AdoptRing(const Ring& sizes,
                             std::span<const Descriptor> files);

}  // namespace halftoned::wire

#endif  // HALFTONED_WIRE_RING_H_
