// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/document_kind.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kStartOfPjl = "\x1b%-12345X@PJL";

std::string_view From(std::string_view text, size_t at) {
  return text.substr(std::min(at, text.size()));
}

// Whether these commands of PJL switch the printer to PostScript.
bool EntersPostScript(std::string_view commands) {
  std::string words(commands);
  std::erase_if(words, [](char c) { return c == ' ' || c == '\t'; });
  return LowerCase(words).find("enterlanguage=postscript") != words.npos;
}

}  // namespace

DocumentKind KindOfDocument(std::string_view start) {
  start = start.substr(0, kStartOfDocument);
  if (start.starts_with(kByteOrderMark)) {
    start.remove_prefix(kByteOrderMark.size());
  }
  start = From(start, start.find_first_not_of("\r\n\x04"));
  if (start.starts_with("%PDF-")) return DocumentKind::kPdf;
  if (start.starts_with("%!")) return DocumentKind::kPostScript;
  return start.starts_with(kStartOfPjl) && EntersPostScript(start)
             ? DocumentKind::kPostScript
             : DocumentKind::kNone;
}

}  // namespace halftoned
