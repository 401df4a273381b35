// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether what a page of PDF draws is solid black and white: its operators, and
// all that its resources offer, used or not.

#ifndef HALFTONED_FILTER_GHOSTSCRIPT_BLACK_CONTENT_H_
#define HALFTONED_FILTER_GHOSTSCRIPT_BLACK_CONTENT_H_

#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <set>

namespace halftoned {

class BlackContent {
 public:
  bool IsBlack(QPDFPageObjectHelper page, QPDFObjectHandle resources);

 private:
  bool HasBlackResources(QPDFObjectHandle resources);
  bool IsBlackObject(QPDFObjectHandle object);
  bool IsBlackFont(QPDFObjectHandle font);
  // Whether it has not been looked at, which ends circles.
  bool IsNew(const QPDFObjectHandle& object);

  std::set<QPDFObjGen> seen_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_GHOSTSCRIPT_BLACK_CONTENT_H_
