// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/pdf_pages.h"

#include <cmath>
#include <exception>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <vector>

namespace halftoned {
namespace {

// Points. Ghostscript treats pages of other sizes differently if it is given
// some of them: for example, it then keeps their size although it is within the
// tolerance of the paper's.
constexpr double kTolerance = 0.01;

bool IsNear(double a, double b) { return std::abs(a - b) < kTolerance; }

// Whether the page, turned as it says, has just the size of the paper.
bool IsOnPaper(QPDFPageObjectHelper page, const PaperSize& paper) {
  QPDFObjectHandle rotation = page.getAttribute("/Rotate", false);
  const auto degrees = rotation.isInteger() ? rotation.getIntValue() : 0;
  if (degrees % 90 != 0 || page.getObjectHandle().hasKey("/UserUnit")) {
    return false;
  }
  QPDFObjectHandle box = page.getAttribute("/MediaBox", false);
  if (!box.isRectangle()) return false;
  const auto edges = box.getArrayAsRectangle();
  const bool lies = degrees % 180 != 0;
  return IsNear(edges.llx, 0) && IsNear(edges.lly, 0) &&
         IsNear(edges.urx, lies ? paper.length : paper.width) &&
         IsNear(edges.ury, lies ? paper.width : paper.length);
}

Result<int64_t> Count(const std::string& path, const PaperSize& paper) {
  QPDF document;
  document.setSuppressWarnings(true);
  document.setAttemptRecovery(false);
  document.processFile(path.c_str());
  if (document.isEncrypted()) return BadInput("the document is encrypted");
  const std::vector<QPDFObjectHandle>& pages = document.getAllPages();
  QPDFObjectHandle count = document.getRoot().getKey("/Pages").getKey("/Count");
  if (!count.isInteger() ||
      count.getIntValue() != static_cast<long long>(pages.size())) {
    return BadInput("the document's number of pages is wrong");
  }
  for (const QPDFObjectHandle& page : pages) {
    if (!IsOnPaper(QPDFPageObjectHelper(page), paper)) {
      return BadInput("not all pages have the size of the paper");
    }
  }
  if (document.anyWarnings()) return BadInput("the document has mistakes");
  return static_cast<int64_t>(pages.size());
}

}  // namespace

Result<int64_t> CountSeparatePages(const std::string& path,
                                   const PaperSize& paper) {
  try {
    return Count(path, paper);
  } catch (const std::exception& exception) {
    return BadInput(exception.what());
  }
}

}  // namespace halftoned
