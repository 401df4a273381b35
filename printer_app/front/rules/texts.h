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

// Control characters become spaces.
std::string OneLine(std::string text);

// And what is beyond 255 bytes, the most of a name of IPP, is cut between two
// characters.
std::string CleanText(std::string text);

// Whether each character can be seen, so that no other name looks the same but
// by letters that are alike.
bool IsSeenWhole(std::string_view text);

// All texts of a request, also within collections. Names of the standards and
// types of documents become lower case, by which the rules and PAPPL know them.
void CleanTexts(ipp_t* request);

}  // namespace halftoned
