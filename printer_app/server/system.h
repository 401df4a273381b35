// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes PAPPL's system: where it listens, keeps its state and logs.

#pragma once

#include <pappl/pappl.h>

namespace halftoned {

// A pappl_ml_system_cb_t. Takes PAPPL's own options. Null, with a line on
// stderr, if no system can be made.
pappl_system_t* MakeSystem(int num_options, cups_option_t* options, void* data);

}  // namespace halftoned
