// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types that a preview shows, each with the recipe of its page.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "halftone/look/print_look.h"

namespace halftoned {

struct ShownType {
  std::string name;  // for people
  Recipe recipe;
};

// names: from --halftone-type; if empty, the type of `print` and those that
// users choose between, each once. The error names a type that does not have
// the levels of `print`.
Result<std::vector<ShownType>> ShownTypes(const std::vector<std::string>& names,
                                          const PrintLook& print,
                                          double dots_per_inch);

// The tones of the printer, if they differ from those of the laser in
// printed_rows.h: maps the light that this laser prints to the light that the
// printer prints. They follow from the settings that correct the printer's
// dots.
Result<ToneCurve> TonesOfPrinter(const PrintLook& print, double dots_per_inch);

}  // namespace halftoned
