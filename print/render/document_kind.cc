// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/document_kind.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kEndOfJob = "\x1b%-12345X";
constexpr std::string_view kCommand = "@pjl";
constexpr std::string_view kBefore = "\r\n\x04";  // a document

std::string_view From(std::string_view text, size_t at) {
  return text.substr(std::min(at, text.size()));
}

// Whether it is PostScript, or commands of PJL that switch the printer to it.
bool IsPostScript(std::string_view start) {
  constexpr std::string_view kEnter = "enterlanguage=";
  while (start.starts_with(kEndOfJob)) start.remove_prefix(kEndOfJob.size());
  if (start.starts_with("%!")) return true;
  while (true) {
    std::string line = LowerCase(start.substr(0, start.find('\n')));
    if (!line.starts_with(kCommand)) return false;
    std::erase_if(line, [](unsigned char c) { return c <= ' '; });
    const std::string_view command = From(line, kCommand.size());
    if (command.starts_with(kEnter)) {
      return From(command, kEnter.size()).starts_with("postscript");
    }
    start = From(start, start.find('\n'));
    start = From(start, start.find_first_not_of("\r\n"));
  }
}

}  // namespace

DocumentKind KindOfDocument(std::string_view start) {
  start = start.substr(0, kStartOfDocument);
  const bool is_marked = start.starts_with(kByteOrderMark);
  if (is_marked) start.remove_prefix(kByteOrderMark.size());
  start = From(start, start.find_first_not_of(kBefore));
  if (start.starts_with("%PDF-")) return DocumentKind::kPdf;
  return !is_marked && IsPostScript(start) ? DocumentKind::kPostScript
                                           : DocumentKind::kNone;
}

bool MayStartDocument(char first) {
  const std::string_view starts[] = {kByteOrderMark, kEndOfJob, kCommand, "%"};
  return kBefore.find(first) != kBefore.npos ||
         std::ranges::any_of(starts, [first](std::string_view start) {
           return start.front() == first;
         });
}

}  // namespace halftoned
