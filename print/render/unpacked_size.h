// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much the streams of a PDF document become once they are unpacked: a few
// kilobytes may hold gigabytes, and libqpdf puts what it unpacks into memory.

#pragma once

#include <cstddef>
#include <qpdf/QPDFObjectHandle.hh>

namespace halftoned {

// Takes the stream's size off most_bytes; false if that is not enough. What
// cannot be unpacked has no size. Holds none of it.
bool UnpacksWithin(QPDFObjectHandle stream, size_t& most_bytes);

}  // namespace halftoned
