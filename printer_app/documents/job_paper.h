// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job's paper, and how its pages are placed on it.

#pragma once

#include <pappl/pappl.h>

#include <optional>

#include "printer_app/documents/sheet_place.h"

namespace halftoned {

SheetPaper PaperOf(const pappl_pr_options_t& options);
PageFit FitOf(const pappl_pr_options_t& options);
// Quarter turns, counterclockwise. If nothing, the turn that suits the paper
// best.
std::optional<int> TurnsOf(const pappl_pr_options_t& options);

}  // namespace halftoned
