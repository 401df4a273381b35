// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All pages of a job, in order: copies, back sides as the printer wants them,
// and how far the job is.

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_PAGE_LOOP_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_PAGE_LOOP_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "printer_app/transform/page_form.h"
#include "printer_app/transform/print_sink.h"
#include "printer_app/transform/sample_pages.h"
#include "printer_app/transform/transform_log.h"

namespace halftoned {

class PageLoop {
 public:
  // Opens the pages anew, for each copy.
  using Open = std::function<Result<std::unique_ptr<SamplePages>>()>;

  // All outlive it.
  PageLoop(const PageForm& form, PrintSink& sink, const TransformLog& log)
      : form_(form), sink_(sink), log_(log) {}

  Result<void> Run(const Open& open);

 private:
  Result<void> SendCopy(SamplePages& pages);
  // `pages`: null for a blank page.
  Result<void> SendPage(SamplePages* pages, const cups_page_header2_t& header);
  Result<void> SendRows(SamplePages* pages, const cups_page_header2_t& header);
  Result<void> FillRow(SamplePages* pages, std::span<uint8_t> row);

  const PageForm& form_;
  PrintSink& sink_;
  const TransformLog& log_;
  unsigned done_ = 0;    // pages
  unsigned sheets_ = 0;  // done
};

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_PAGE_LOOP_H_
