// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of a command, read as PAPPL's command line reads them: it accepts
// wrong numbers, and options that the command then ignores.

#pragma once

#include <string>
#include <vector>

namespace halftoned {

// Why the command is refused; empty if it is not. words: from the program's
// name on.
std::string WhatForbidsCommand(const std::vector<std::string>& words);

// PAPPL 1.3 does not know its own option for copies behind `submit`.
void NameCopies(std::vector<std::string>& words);

}  // namespace halftoned
