// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a PPD file into statements, without losing a byte and without
// interpreting them.
//
//   file      = { statement }
//   statement = "*%" text eol                              a comment
//             | "*" keyword [ " " option ] ":" value eol   one line, or, if the
//                                                          value is quoted,
//                                                          up to its quote
//             | text eol                                   anything else
//   eol       = LF | CR LF | CR | the end of the file

#pragma once

#include <string_view>
#include <vector>

namespace halftoned {

// Characters that separate words within a line.
inline constexpr std::string_view kPpdBlanks = " \t";

// Views of the file's text, which must outlive them.
struct Statement {
  std::string_view text;     // without its end of line
  std::string_view eol;      // empty only at the end of the file
  std::string_view keyword;  // "NickName" of `*NickName: "..."`; else empty
  std::string_view value;    // the text in quotes, or after the colon

  bool is_one_line() const {
    return text.find_first_of("\r\n") == std::string_view::npos;
  }
};

std::vector<Statement> SplitStatements(std::string_view ppd);

}  // namespace halftoned
