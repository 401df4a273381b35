// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options, papers and finishings of a PPD file that is made, by what the
// printer says of them.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "adopt/printer/printer_facts.h"

namespace halftoned {

// A keyword of IPP, such as "by-pass-tray": "ByPassTray", as libcups calls it
// in PPD files, where it finds it again.
std::string ChoiceOf(const std::string& keyword);

// "By pass tray". Not of an empty keyword.
std::string WordsOf(std::string keyword);

// Its choices, and what each tells the renderer.
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

// Staples, punches and folds. The renderer does not know them: CUPS tells the
// printer, by the numbers of IPP that stand beside each choice. Empty if the
// printer has none that is known.
std::string FinishingLines(const PrinterFacts& facts);

}  // namespace halftoned
