// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of a PDF document's streams once they are unpacked: a few kilobytes
// may hold gigabytes, and libqpdf unpacks into memory.

#pragma once

#include <cstddef>
#include <qpdf/QPDFObjectHandle.hh>

namespace halftoned {

// Subtracts the stream's size from most_bytes; false if the size is larger. A
// stream that cannot be unpacked has no size. Keeps no data in memory.
bool UnpacksWithin(QPDFObjectHandle stream, size_t& most_bytes);

}  // namespace halftoned
