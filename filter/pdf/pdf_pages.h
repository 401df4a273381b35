// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of a PDF document, as libqpdf sees them. Only this file knows PDF.

#ifndef HALFTONED_FILTER_PDF_PDF_PAGES_H_
#define HALFTONED_FILTER_PDF_PDF_PAGES_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "filter/queue.h"

namespace halftoned {

// How long the renderer will work for each page, roughly, in milliseconds, if
// one that is given some of the pages makes the same of each as one that is
// given all: the document is sound and not encrypted, and its pages have the
// size of the job's paper, as pdftopdf makes them. Otherwise the error says why
// not.
Result<std::vector<double>> WorkOfSeparatePages(const std::string& path,
                                                const PaperSize& paper);

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PDF_PDF_PAGES_H_
