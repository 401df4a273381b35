// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone preview`.

#ifndef HALFTONED_TOOLS_PREVIEW_RUN_PREVIEW_H_
#define HALFTONED_TOOLS_PREVIEW_RUN_PREVIEW_H_

#include "preview/arguments.h"

namespace halftoned {

// Returns the exit status; prints what was written, or a line about why not.
int RunPreview(const PreviewOptions& options);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_PREVIEW_RUN_PREVIEW_H_
