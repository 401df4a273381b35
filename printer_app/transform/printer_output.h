// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the printer's bytes go: standard output, a file, or a printer.

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_PRINTER_OUTPUT_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_PRINTER_OUTPUT_H_

#include <memory>
#include <string_view>

#include "base/result.h"
#include "file/pending_files.h"
#include "printer_app/transform/transform_order.h"

namespace halftoned {

// To wait for a printer.
inline constexpr int kConnectMilliseconds = 30000;

class PrinterOutput {
 public:
  virtual ~PrinterOutput() = default;
  virtual Result<void> Write(std::string_view bytes) = 0;
  // All has been written. A file that is not committed does not appear.
  virtual Result<void> Commit() { return {}; }
};

// By the order's device or path. `pending` outlives it.
Result<std::unique_ptr<PrinterOutput>> OpenOutput(const TransformOrder& order,
                                                  PendingFiles& pending);

// A printer at a URI of ipp or ipps: a job of its own.
Result<std::unique_ptr<PrinterOutput>> OpenIppPrinter(
    const TransformOrder& order);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_PRINTER_OUTPUT_H_
