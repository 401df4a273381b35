// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates PAPPL's system: its listeners, state and log.

#pragma once

#include <pappl/pappl.h>

namespace halftoned {

// A pappl_ml_system_cb_t. Takes PAPPL's own options. Null, with a line on
// stderr, if the system cannot be created.
pappl_system_t* MakeSystem(int num_options, cups_option_t* options, void* data);

}  // namespace halftoned
