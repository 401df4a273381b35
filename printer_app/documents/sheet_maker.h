// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts a PDF document's pages on sheets, with the program halftone-sheets. A
// document that crashes or hangs the program harms only its own job.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/limits/render_pool.h"
#include "print/process/child.h"
#include "print/process/stop.h"
#include "printer_app/sheets/sheet_order.h"

namespace halftoned {

class SheetMaker {
 public:
  // Whether the program is installed.
  static bool IsThere();

  // Opens a document. `cancelled` outlives the SheetMaker, and stops it. user
  // and directory: those of the job, for the RenderPool.
  static Result<std::unique_ptr<SheetMaker>> Start(const std::string& document,
                                                   const Stop& cancelled,
                                                   const std::string& user,
                                                   const std::string& folder);

  unsigned pages() const { return pages_; }

  // Writes the sheets to a new file, and returns the work for each. Must be the
  // last call.
  Result<std::vector<PageWork>> Make(const SheetOrder& order,
                                     const std::string& path);

 private:
  SheetMaker(Child program, Descriptor connection, const Stop& cancelled,
             const std::string& user, const std::string& folder)
      : cancelled_(cancelled),
        connection_(std::move(connection)),
        program_(std::move(program)),
        share_(program_, user, folder) {}

  // The next line, or why there is none.
  Result<std::string> Line();
  // The text after the word in the next line.
  Result<std::string> Answer(std::string_view word);

  const Stop& cancelled_;
  Descriptor connection_;
  Child program_;
  const RenderPool::Share share_;
  std::string read_;  // after the last line
  unsigned pages_ = 0;
};

}  // namespace halftoned
