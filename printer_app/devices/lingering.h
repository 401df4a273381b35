// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connections that stay open after the last byte of a job, because closing one
// with unread messages of the printer loses the bytes on their way to it.

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/descriptor.h"
#include "printer_app/front/pappl/user_shares.h"

namespace halftoned {

// Bytes from a printer per job. One that says more is no longer listened to.
inline constexpr uint64_t kMostWords = 1 << 20;

// Beyond these limits, a connection to the same printer is closed, or to the
// printer with most of them: the oldest one of the user with most of them
// there.
inline constexpr size_t kMostLingering = 64;
inline constexpr size_t kMostLingeringOfPrinter = 8;

// Sends nothing more, and closes the connection when the printer does, or after
// some time. Drops the printer's messages meanwhile.
// printer: a non-blocking socket. heard: bytes that the printer has said. user:
// whose job it was. Any thread may call it; it does not wait.
void Linger(Descriptor printer, uint64_t heard, UserShares::User user);

}  // namespace halftoned
