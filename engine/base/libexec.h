// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where our programs find the programs that they start.

#pragma once

#include <string>

namespace halftoned {

// The folder that the variable HALFTONED_LIBEXEC names, else `installed`. Root
// ignores the variable unless only root can write to the folder and replace it,
// and a program with another user's rights always ignores it.
std::string LibexecFolder(const char* installed);

// The folder of the programs for users: where the installation puts it, seen
// from LibexecFolder. Root accepts it only if no other user can write to it.
std::string ProgramFolder(const char* installed, const char* libexec);

}  // namespace halftoned
