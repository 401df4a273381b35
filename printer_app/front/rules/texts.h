// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cleans texts of clients. PAPPL 1.3 writes them to lines of its state
// unescaped: a line break would add a line, such as a group that may change
// printers, and a text that is too long would end the file.

#pragma once

#include <cups/ipp.h>

#include <string>
#include <string_view>

namespace halftoned {

// 0 ... 15, or -1 if it is no hexadecimal digit.
int HexDigit(char c);

// For the query of a URL: all bytes but letters and digits of ASCII as %XX.
std::string Escaped(std::string_view text);
std::string Unescaped(std::string_view text);

// Control characters become spaces.
std::string OneLine(std::string text);

// Also cuts the text between two characters after at most 255 bytes, the limit
// for names in IPP.
std::string CleanText(std::string text);

// True if every character is visible. Then only similar letters can make
// another name look the same.
bool IsSeenWhole(std::string_view text);

// Whether no character of UTF-8 text is a separate accent, or a special form of
// a letter such as a full-width one. Names that differ only in these look
// alike.
bool HasOneSpelling(std::string_view text);

// Cleans all texts of a request, including those in collections. Standard names
// and document types become lower case, as the rules and PAPPL expect them.
void CleanTexts(ipp_t* request);

}  // namespace halftoned
