// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/ghostscript/black_document.h"

#include <exception>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <vector>

#include "filter/ghostscript/black_content.h"

namespace halftoned {
namespace {

// Links have a frame unless they say that its lines are 0 wide.
bool IsUnseen(QPDFObjectHandle annotation) {
  if (!annotation.isDictionary() || annotation.hasKey("/AP")) return false;
  if (!annotation.getKey("/Subtype").isNameAndEquals("/Link")) return false;
  QPDFObjectHandle border = annotation.getKey("/Border");
  if (annotation.hasKey("/BS") || !border.isArray()) return false;
  QPDFObjectHandle width = border.getArrayItem(2);
  return border.getArrayNItems() >= 3 && width.isNumber() &&
         width.getNumericValue() == 0;
}

bool HasSeenAnnotations(QPDFObjectHandle page) {
  QPDFObjectHandle annotations = page.getKey("/Annots");
  if (annotations.isNull()) return false;
  if (!annotations.isArray()) return true;
  for (const QPDFObjectHandle& annotation : annotations.aitems()) {
    if (!IsUnseen(annotation)) return true;
  }
  return false;
}

std::optional<int64_t> Pages(const std::string& path) {
  QPDF document;
  document.setSuppressWarnings(true);
  document.setAttemptRecovery(false);
  document.processFile(path.c_str());
  if (document.isEncrypted()) return std::nullopt;
  BlackContent content;
  for (const QPDFObjectHandle& page : document.getAllPages()) {
    QPDFPageObjectHelper helper(page);
    if (HasSeenAnnotations(page) ||
        !content.IsBlack(helper, helper.getAttribute("/Resources", false))) {
      return std::nullopt;
    }
  }
  const auto pages = static_cast<int64_t>(document.getAllPages().size());
  if (pages == 0 || document.anyWarnings()) return std::nullopt;
  return pages;
}

}  // namespace

std::optional<int64_t> PagesOfBlackDocument(const std::string& path) {
  try {
    return Pages(path);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace halftoned
