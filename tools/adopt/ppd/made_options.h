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

// For an IPP keyword such as "by-pass-tray", returns "ByPassTray", the name
// that libcups uses in PPD files.
std::string ChoiceOf(const std::string& keyword);

// "By pass tray". The keyword must not be empty.
std::string WordsOf(std::string keyword);

// An option with its choices, and the renderer's code for each.
struct PpdOption {
  std::string keyword;
  std::string text;
  int order;
  std::string usual;
  std::string choices;  // lines

  // dictionary: entries for the page device, such as "/Duplex true"; may be
  // empty.
  void AddChoice(const std::string& name, const std::string& words,
                 const std::string& dictionary);
  std::string Lines() const;
};

// Limits of lpadmin, or plausible ones.
inline constexpr size_t kMostChoices = 200;
inline constexpr size_t kMostNameBytes = 40;

struct NamedPaper {
  std::string name;
  PaperFacts facts;
};

// One paper for each name, preferably one with margins: without margins, most
// printers cut off what is printed near the edges.
std::vector<NamedPaper> PapersOf(const PrinterFacts& facts);

std::string PaperLines(const PrinterFacts& facts,
                       const std::vector<NamedPaper>& papers);
// Empty if the limits make no sense.
std::string CustomPaperLines(const CustomFacts& custom);

// Staples, punches and folds. The renderer ignores them: CUPS passes them to
// the printer as IPP's numbers, which follow each choice. Empty if the printer
// has none that we know.
std::string FinishingLines(const PrinterFacts& facts);

}  // namespace halftoned
