// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the pages of a PDF document in another process, within the limits of
// halftoned.conf: libqpdf may need any memory and time.

#pragma once

#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/ppd/queue.h"
#include "print/process/child.h"
#include "print/process/stop.h"
#include "print/render/pdf_pages.h"

namespace halftoned {

class PagesReader {
 public:
  // Call it before this process has threads: the other process is a copy of it.
  static Result<PagesReader> Start();

  // As PagesOf; call it once. Also an error if that needs more than the limits,
  // or at a stop.
  Result<PdfPages> Read(const std::string& path,
                        const std::optional<PaperSize>& paper,
                        bool may_be_black, const Stop& stop);

 private:
  PagesReader(Descriptor request, Descriptor answer, Child process);

  Descriptor request_;
  Descriptor answer_;
  Child process_;
};

}  // namespace halftoned
