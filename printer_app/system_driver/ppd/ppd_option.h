// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An option of a PPD file, and the IPP names of its choices.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "printer_app/system_driver/ppd/ppd_handle.h"

namespace halftoned {

struct PpdChoice {
  std::string name;  // the IPP name
  std::string choice;
  std::string text;  // for people
};

struct PpdOption {
  std::string keyword;
  std::string text;   // for people
  std::string usual;  // the default's name
  std::vector<PpdChoice> choices;

  bool empty() const { return choices.empty(); }
  // Null if there is none.
  const PpdChoice* Find(std::string_view name) const;
  // "AllDay, Night".
  std::string Names() const;
};

// An option that the file lacks has no choices. The first choice is the
// default.
PpdOption ReadTrays(ppd_file_t* ppd);
PpdOption ReadPaperTypes(ppd_file_t* ppd);
PpdOption ReadOutputBins(ppd_file_t* ppd);

// All options that a job may choose, in the file's order, except those that IPP
// has in another form, and ours.
std::vector<PpdOption> ReadOtherOptions(ppd_file_t* ppd);

}  // namespace halftoned
