// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/pdf_pages.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>

#include "print/render/page_ink.h"

namespace halftoned {
namespace {

// In points. Ghostscript treats pages of other sizes differently if it draws
// only some of them: for example, it then keeps their size although it is
// within the tolerance of the paper's.
constexpr double kTolerance = 0.01;

bool IsNear(double a, double b) { return std::abs(a - b) < kTolerance; }

// Whether the page, turned by its own rotation, has exactly the size of the
// paper.
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

// Milliseconds that Ghostscript takes on a core of an EPYC or Xeon: per page of
// text at 600 dpi with its way through pipes, in gray and in one bit; per pixel
// of a picture; and per byte of drawing in the document.
constexpr double kWorkOfPage = 20;
constexpr double kWorkOfBlackPage = 7;
constexpr double kWorkOfPixel = 17e-6;
constexpr double kWorkOfByte = 0.5e-3;

// Bytes of a document's drawing, packed: thousands of pages of text.
constexpr size_t kMostDrawn = size_t{8} << 20;

// Some documents list the pictures of all pages on each, and broken ones draw
// forms in themselves.
constexpr size_t kMostLookedAt = 100;

double NumberAt(QPDFObjectHandle dictionary, const std::string& key) {
  QPDFObjectHandle number = dictionary.getKey(key);
  return number.isInteger()
             ? static_cast<double>(std::max(0LL, number.getIntValue()))
             : 0;
}

using Handles = std::vector<QPDFObjectHandle>;

// Adds what a page or form with these resources may draw.
void AddDrawn(QPDFObjectHandle resources, Handles& objects) {
  if (!resources.isDictionary()) return;
  QPDFObjectHandle drawn = resources.getKey("/XObject");
  if (!drawn.isDictionary()) return;
  for (const std::string& key : drawn.getKeys()) {
    if (objects.size() >= kMostLookedAt) return;
    objects.push_back(drawn.getKey(key));
  }
}

// pdftopdf makes a form of each page, so forms are looked into.
double WorkOfDrawing(QPDFPageObjectHelper page) {
  QPDFObjectHandle contents = page.getObjectHandle().getKey("/Contents");
  Handles objects =
      contents.isArray() ? contents.getArrayAsVector() : Handles{contents};
  AddDrawn(page.getAttribute("/Resources", false), objects);
  double work = 0;
  for (size_t i = 0; i < objects.size(); ++i) {
    if (!objects[i].isStream()) continue;
    QPDFObjectHandle dictionary = objects[i].getDict();
    if (dictionary.getKey("/Subtype").isNameAndEquals("/Image")) {
      work += kWorkOfPixel * NumberAt(dictionary, "/Width") *
              NumberAt(dictionary, "/Height");
    } else {
      work += kWorkOfByte * NumberAt(dictionary, "/Length");
      AddDrawn(dictionary.getKey("/Resources"), objects);
    }
  }
  return work;
}

Result<PdfPages> Read(const std::string& path,
                      const std::optional<PaperSize>& paper,
                      bool may_be_black) {
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
  PdfPages read;
  if (!paper) read.why_whole = "the PPD file does not list the paper's size";
  size_t most_drawn = kMostDrawn;
  for (const QPDFObjectHandle& page : pages) {
    if (paper && !IsOnPaper(QPDFPageObjectHelper(page), *paper)) {
      read.why_whole = "not all pages have the size of the paper";
    }
    const double drawn = WorkOfDrawing(QPDFPageObjectHelper(page));
    read.pages.push_back({kWorkOfPage + drawn, {}});
    if (may_be_black && IsBlack(QPDFPageObjectHelper(page), most_drawn)) {
      read.pages.back().black = kWorkOfBlackPage + drawn;
    }
  }
  if (document.anyWarnings()) return BadInput("the document has mistakes");
  return read;
}

}  // namespace

bool PdfPages::is_black() const {
  return !pages.empty() && std::ranges::all_of(pages, [](const PageWork& page) {
    return page.black.has_value();
  });
}

Result<PdfPages> PagesOf(const std::string& path,
                         const std::optional<PaperSize>& paper,
                         bool may_be_black) {
  try {
    return Read(path, paper, may_be_black);
  } catch (const std::exception& exception) {
    return BadInput(exception.what());
  }
}

}  // namespace halftoned
