// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A server that a sub-command starts. PAPPL gives it the words `server -o
// private-server=true`, which a user can also type, so a mark in the
// environment tells one from the other.

#pragma once

#include "base/result.h"

namespace halftoned {

// For a sub-command: marks the environment of the server that it may start.
void MarkServerOfCommand();

// True in both processes of a server that a sub-command has started.
bool IsOfCommand();

// Keeps no file open that the sub-command was given, and does not keep its
// directory from being unmounted.
Result<void> LeaveCommand();

// Releases the output of the sub-command. The sub-command ends before the
// server, but readers of its output wait until nobody has it open.
void LetGoOfOutput();

}  // namespace halftoned
