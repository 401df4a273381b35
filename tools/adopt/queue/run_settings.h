// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone set`, `halftone unset` and `halftone show`.

#ifndef HALFTONED_TOOLS_ADOPT_QUEUE_RUN_SETTINGS_H_
#define HALFTONED_TOOLS_ADOPT_QUEUE_RUN_SETTINGS_H_

#include "settings/arguments.h"

namespace halftoned {

// Both return the exit status; they print what was done, or a line about why
// not.
int RunChange(const SettingsOptions& options, bool is_set);
int RunShow(const SettingsOptions& options);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_QUEUE_RUN_SETTINGS_H_
