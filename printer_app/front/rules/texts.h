// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of clients. PAPPL 1.3 writes them into lines of its state as they are:
// one with the end of a line in it would add lines of its own, such as a group
// that may change printers, and one that is too long would end all that
// follows.

#ifndef HALFTONED_PRINTER_APP_FRONT_RULES_TEXTS_H_
#define HALFTONED_PRINTER_APP_FRONT_RULES_TEXTS_H_

#include <cups/ipp.h>

#include <string>

namespace halftoned {

// Of ASCII.
std::string LowerCase(std::string text);

// Control characters become spaces.
std::string OneLine(std::string text);

// And what is beyond 255 bytes, the most of a name of IPP, is cut between two
// characters.
std::string CleanText(std::string text);

// All texts of a request, also within collections. Types of documents become
// lower case, by which PAPPL knows them.
void CleanTexts(ipp_t* request);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_FRONT_RULES_TEXTS_H_
