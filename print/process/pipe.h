// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipe, whose ends are closed on exec.

#pragma once

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

struct Pipe {
  Descriptor reading;
  Descriptor writing;

  static Result<Pipe> Make();
};

}  // namespace halftoned
