// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/pdf_pages.h"

#include <algorithm>
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

// Milliseconds, as Ghostscript takes them on a core of an EPYC or Xeon: a page
// of text at 600 dots an inch with its way through pipes; pixels of a picture;
// drawing, in the bytes that the document has for it.
constexpr double kWorkOfPage = 20;
constexpr double kWorkOfPixel = 17e-6;
constexpr double kWorkOfByte = 0.5e-3;

// Some documents list the pictures of all pages on each, and broken ones draw
// forms in themselves.
constexpr size_t kMostLookedAt = 100;

double NumberAt(QPDFObjectHandle dictionary, const std::string& key) {
  QPDFObjectHandle number = dictionary.getKey(key);
  return number.isInteger()
             ? static_cast<double>(std::max(0LL, number.getIntValue()))
             : 0;
}

using Objects = std::vector<QPDFObjectHandle>;

// Adds what a page or form with these resources may draw.
void AddDrawn(QPDFObjectHandle resources, Objects& objects) {
  if (!resources.isDictionary()) return;
  QPDFObjectHandle drawn = resources.getKey("/XObject");
  if (!drawn.isDictionary()) return;
  for (const std::string& key : drawn.getKeys()) {
    if (objects.size() >= kMostLookedAt) return;
    objects.push_back(drawn.getKey(key));
  }
}

// pdftopdf makes a form of each page, so forms are looked into.
double WorkOf(QPDFPageObjectHelper page) {
  QPDFObjectHandle contents = page.getObjectHandle().getKey("/Contents");
  Objects objects =
      contents.isArray() ? contents.getArrayAsVector() : Objects{contents};
  AddDrawn(page.getAttribute("/Resources", false), objects);
  double work = kWorkOfPage;
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

Result<std::vector<double>> Work(const std::string& path,
                                 const PaperSize& paper) {
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
  std::vector<double> work;
  for (const QPDFObjectHandle& page : pages) {
    if (!IsOnPaper(QPDFPageObjectHelper(page), paper)) {
      return BadInput("not all pages have the size of the paper");
    }
    work.push_back(WorkOf(QPDFPageObjectHelper(page)));
  }
  if (document.anyWarnings()) return BadInput("the document has mistakes");
  return work;
}

}  // namespace

Result<std::vector<double>> WorkOfSeparatePages(const std::string& path,
                                                const PaperSize& paper) {
  try {
    return Work(path, paper);
  } catch (const std::exception& exception) {
    return BadInput(exception.what());
  }
}

}  // namespace halftoned
