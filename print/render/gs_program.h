// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every start of Ghostscript needs: its program, and our CMYK profile.

#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// The first gs on PATH that is not this program; empty if there is none.
std::string FindGhostscript();

// The profile with which full black is black (cmyk_profile.h). A file without a
// name, which stays open on exec.
Result<Descriptor> CmykProfileFile();

}  // namespace halftoned
