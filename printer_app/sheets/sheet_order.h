// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol between the server and halftone-sheets, the program that reads
// PDF documents: lines of text. libqpdf reads untrusted documents, so it runs
// in a separate process, which may crash, and which uses memory only while it
// works.
//
//   halftone-sheets DOCUMENT   its standard output and input are a pipe each
//
//   < "pages " count           how many the document has
//   > order " " path           the sheets to be made, and the file to put them
//                              in
//   < { "sheet " gray [ " " black ] }
//                              the work of each (PageWork)
//   < "end"
//
// In place of any answer: "bad " or "io " and what is wrong, and it ends. "io
// ": it cannot write the file.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "print/render/page_shares.h"
#include "printer_app/documents/sheet_place.h"

namespace halftoned {

struct SheetOrder {
  unsigned first_page;  // from 1
  unsigned last_page;
  SheetPaper paper;
  PageFit fit;
  std::optional<int> turns;   // as for Place
  bool may_be_black = false;  // pages may be rendered with 1 bit
};

inline constexpr std::string_view kPagesWord = "pages ";
inline constexpr std::string_view kSheetWord = "sheet ";
inline constexpr std::string_view kEndWord = "end";

// Without the end of the line.
std::string TextOf(const SheetOrder& order, const std::string& path);
std::string TextOf(const PageWork& work);
std::string TextOf(const Error& error);

struct SheetRequest {
  SheetOrder order;
  std::string path;
};
Result<SheetRequest> ReadRequest(const std::string& line);
// The text after `word`, or the error that the line reports.
Result<std::string> ReadAnswer(std::string_view line, std::string_view word);
Result<PageWork> ReadWork(const std::string& text);

}  // namespace halftoned
