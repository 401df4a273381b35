// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The papers of a PPD file that is made, by what the printer says of them.

#ifndef HALFTONED_TOOLS_ADOPT_PPD_PPD_PAPERS_H_
#define HALFTONED_TOOLS_ADOPT_PPD_PPD_PAPERS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "adopt/printer/printer_facts.h"

namespace halftoned {

// The limits of lpadmin and of good sense.
inline constexpr size_t kMostChoices = 200;
inline constexpr size_t kMostNameBytes = 40;

struct NamedPaper {
  std::string name;
  PaperFacts facts;
};

// One of each name: that with margins if there is one, since what is printed in
// them without is cut off by most printers.
std::vector<NamedPaper> PapersOf(const PrinterFacts& facts);

std::string PaperLines(const PrinterFacts& facts,
                       const std::vector<NamedPaper>& papers);
// Empty where the limits make no sense.
std::string CustomPaperLines(const CustomFacts& custom);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_PPD_PPD_PAPERS_H_
