// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types that a preview shows, each with the recipe that its page would be
// printed with.

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

// names: of --halftone-type; empty for that of `print` and those that users
// choose between. Each is there once. The error names a type that does not have
// the levels of `print`.
Result<std::vector<ShownType>> ShownTypes(const std::vector<std::string>& names,
                                          const PrintLook& print,
                                          double dots_per_inch);

// The tones of the printer, where they are not those of the laser of
// printed_rows.h: from the light that this prints to the light that the printer
// prints. What makes up for a printer's dots says what they do.
Result<ToneCurve> TonesOfPrinter(const PrintLook& print, double dots_per_inch);

}  // namespace halftoned
