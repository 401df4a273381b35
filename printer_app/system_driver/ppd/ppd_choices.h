// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The papers and resolutions of a PPD file, and a job's choices among them.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "print/language/page_encoder.h"
#include "printer_app/system_driver/ppd/ppd_handle.h"

namespace halftoned {

// The resolutions of a PPD file that are the same in both directions, and the
// option that chooses among them.
struct PpdResolutions {
  std::string keyword;    // of the option; empty: none
  std::vector<int> dpis;  // from low to high
  std::vector<std::string> choices;
  int usual = 0;

  // If there are none, `dpis` is empty.
  static PpdResolutions Read(ppd_file_t* ppd);

  // Empty if there is no option.
  std::string ChoiceFor(int dpi) const;

  void Add(std::optional<int> dpi, const std::string& choice, bool is_usual);
};

// The papers of a PPD file, as PWG names them, and the margins of its default.
struct PpdPaper {
  std::string name;  // the PWG name
  std::string choice;
  double width, length;  // points
};

struct PpdPapers {
  std::vector<PpdPaper> all;
  std::string usual;   // its PWG name
  int left_right = 0;  // 1/100 mm
  int bottom_top = 0;

  static PpdPapers Read(ppd_file_t* ppd);

  // The choice of PageSize for the page, by name or by size; otherwise the
  // default. Precondition: there is at least one paper.
  const std::string& ChoiceFor(const InkPage& page) const;
};

// Keywords and choices. If an option occurs twice, the later choice counts.
using PpdChoices = std::vector<std::pair<std::string, std::string>>;

// "PageSize=A4 Resolution=600dpi", as CUPS passes them to filters.
std::string OptionsOf(const PpdChoices& choices);

// Marks the choices. Refuses choices that the file does not allow together,
// unless all of them are the file's defaults.
Result<void> Mark(const PpdChoices& choices, ppd_file_t* ppd);

}  // namespace halftoned
