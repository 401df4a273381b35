// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the service's own user owns and touches its printers and jobs. systemd
// starts the server as that user; a server that root starts becomes that user.

#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "printer_app/server/folders.h"

namespace halftoned {

// Whether this process runs as root, without directories in its environment.
bool IsServiceOfRoot();

// Creates the service's directories, and the link by which root's sub-commands
// find its socket. Then changes this process to the service's user. If that
// user does not exist, the error says how to create it. Call it only if
// IsServiceOfRoot(), and before threads are started.
Result<void> BecomeServiceUser();

// Changes only the user, and only if IsServiceOfRoot() and the service's user
// exists.
Result<void> LeaveRoot();

// The options in the service's unit.
std::span<const char* const> ServiceOptions();

// Fails if a directory, or the state in it, belongs to another user.
Result<void> CheckOwner(const Folders& folders);

// The command by which root starts the server. program: the path of this
// program.
std::string HowToStartService(const std::string& program);

}  // namespace halftoned
