// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options, papers and finishings of a generated PPD file, from the
// printer's attributes.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "adopt/printer/printer_facts.h"

namespace halftoned {

// For a keyword of IPP, such as "by-pass-tray": "ByPassTray", the name that
// libcups uses and looks for in PPD files.
std::string ChoiceOf(const std::string& keyword);

// "By pass tray". Not of an empty keyword.
std::string WordsOf(std::string keyword);

// Its choices, and the renderer's code for each.
struct PpdOption {
  std::string keyword;
  std::string text;
  int order;
  std::string usual;
  std::string choices;  // lines

  // The entries of a page device, such as "/Duplex true"; none if empty.
  void AddChoice(const std::string& name, const std::string& words,
                 const std::string& dictionary);
  std::string Lines() const;
};

// The limits of lpadmin, and plausible ones.
inline constexpr size_t kMostChoices = 200;
inline constexpr size_t kMostNameBytes = 40;

struct NamedPaper {
  std::string name;
  PaperFacts facts;
};

// One of each name: the one with margins if there is one, since without them
// most printers cut off what is printed there.
std::vector<NamedPaper> PapersOf(const PrinterFacts& facts);

std::string PaperLines(const PrinterFacts& facts,
                       const std::vector<NamedPaper>& papers);
// Empty if the limits make no sense.
std::string CustomPaperLines(const CustomFacts& custom);

// Staples, punches and folds. The renderer does not know them: CUPS passes them
// to the printer as IPP's numbers, which follow each choice. Empty if the
// printer has no known ones.
std::string FinishingLines(const PrinterFacts& facts);

}  // namespace halftoned
