// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job from its documents to the printer's bytes.

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_TRANSFORM_JOB_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_TRANSFORM_JOB_H_

#include "base/result.h"
#include "file/pending_files.h"
#include "printer_app/transform/transform_log.h"
#include "printer_app/transform/transform_order.h"

namespace halftoned {

Result<void> RunTransform(const TransformOrder& order, PendingFiles& pending,
                          const TransformLog& log);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_TRANSFORM_JOB_H_
