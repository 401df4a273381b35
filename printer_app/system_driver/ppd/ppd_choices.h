// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices of a PPD file's options, as a job makes them.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "printer_app/system_driver/ppd/ppd_handle.h"

namespace halftoned {

// Keywords and choices. A later choice of an option is the one that counts.
using PpdChoices = std::vector<std::pair<std::string, std::string>>;

// "PageSize=A4 Resolution=600dpi", as CUPS passes them to filters.
std::string OptionsOf(const PpdChoices& choices);

// Marks them. Refuses choices that the file does not allow together, unless
// all of them are its own defaults.
Result<void> Mark(const PpdChoices& choices, ppd_file_t* ppd);

}  // namespace halftoned
