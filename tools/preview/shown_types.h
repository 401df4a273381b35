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

// names: from --halftone-type. If empty, the types are that of `print` and
// those that users choose between, each once. The error names a type that does
// not have the levels of `print`.
Result<std::vector<ShownType>> ShownTypes(const std::vector<std::string>& names,
                                          const PrintLook& print,
                                          double dots_per_inch);

// Maps the light that the laser of printed_rows.h prints to the light that the
// printer prints. Derived from the settings that correct the printer's dots.
Result<ToneCurve> TonesOfPrinter(const PrintLook& print, double dots_per_inch);

}  // namespace halftoned
