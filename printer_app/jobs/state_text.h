// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's state as text. PAPPL 1.3 writes it to a file and ignores write
// errors, so here the file is a pipe.

#pragma once

#include <pappl/pappl.h>

#include <string>

#include "base/result.h"

namespace halftoned {

// pipe: a path in a directory that is ours alone, where the pipe is made if it
// is missing. One thread at a time.
Result<std::string> StateText(pappl_system_t* system, const std::string& pipe);

}  // namespace halftoned
