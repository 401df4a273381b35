// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The papers of a PPD file, as PWG names them, and the margins of its default.

#pragma once

#include <string>
#include <vector>

#include "print/language/page_encoder.h"
#include "printer_app/system_driver/ppd/ppd_handle.h"

namespace halftoned {

struct PpdPaper {
  std::string name;  // PWG's
  std::string choice;
  double width, length;  // points
};

struct PpdPapers {
  std::vector<PpdPaper> all;
  std::string usual;   // its PWG name
  int left_right = 0;  // 1/100 mm
  int bottom_top = 0;

  static PpdPapers Read(ppd_file_t* ppd);

  // The choice of PageSize for the page, by name or by size; else the default.
  // There is a paper.
  const std::string& ChoiceFor(const InkPage& page) const;
};

}  // namespace halftoned
