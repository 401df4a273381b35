// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipe, whose ends are closed on exec.

#ifndef HALFTONED_PRINT_PROCESS_PIPE_H_
#define HALFTONED_PRINT_PROCESS_PIPE_H_

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

struct Pipe {
  Descriptor reading;
  Descriptor writing;

  static Result<Pipe> Make();
};

}  // namespace halftoned

#endif  // HALFTONED_PRINT_PROCESS_PIPE_H_
