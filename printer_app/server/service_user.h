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

// Whether this process is root's, without directories in its environment.
bool IsServiceOfRoot();

// Makes the service's directories, and the link by which root's sub-commands
// find its socket, and becomes its user. An error, which says how to create the
// user, if the machine does not have it. Call only if IsServiceOfRoot(), and
// before there are threads.
Result<void> BecomeServiceUser();

// The options of the service's unit.
std::span<const char* const> ServiceOptions();

// An error if a directory, or the state in it, belongs to another user.
Result<void> CheckOwner(const Folders& folders);

// The command that root types if the server does not run. program: the path of
// this one.
std::string HowToStartService(const std::string& program);

}  // namespace halftoned
