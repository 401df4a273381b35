// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The resolutions of a PPD file that are the same both ways, and the option
// that chooses among them.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "printer_app/system_driver/ppd/ppd_handle.h"

namespace halftoned {

struct PpdResolutions {
  std::string keyword;    // of the option; empty: none
  std::vector<int> dpis;  // from low to high
  std::vector<std::string> choices;
  int usual = 0;

  // Without any, `dpis` is empty.
  static PpdResolutions Read(ppd_file_t* ppd);

  // Empty if there is no option.
  std::string ChoiceFor(int dpi) const;

  void Add(std::optional<int> dpi, const std::string& choice, bool is_usual);
};

}  // namespace halftoned
