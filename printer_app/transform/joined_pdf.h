// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The job's documents as one PDF document of the pages that are to be printed,
// each on the job's paper.

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_JOINED_PDF_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_JOINED_PDF_H_

#include <string>

#include "base/result.h"
#include "printer_app/transform/page_form.h"
#include "printer_app/transform/transform_order.h"

namespace halftoned {

struct JoinedPdf {
  std::string path;
  unsigned pages;
};

// `folder`: for it and other temporary files.
Result<JoinedPdf> JoinDocuments(const TransformOrder& order,
                                const PageForm& form,
                                const std::string& folder);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_JOINED_PDF_H_
