// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The group whose members can change printers. PAPPL saves it with the
// printers, and logs an error each time that it is set and does not exist.

#pragma once

#include <pappl/pappl.h>

#include <string>

namespace halftoned {

// Removes the group from the saved state; empty if there is none.
std::string TakeAdminGroup(std::string& state);

// Without PAPPL's error. False: this system has no such group.
bool SetAdminGroup(pappl_system_t* system, const std::string& group);

}  // namespace halftoned
