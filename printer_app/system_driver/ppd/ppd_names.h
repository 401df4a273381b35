// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IPP names for the choices of a PPD file.

#pragma once

#include <string>
#include <string_view>

namespace halftoned {

// "Tray1" is tray-1.
std::string IppKeyword(std::string_view choice);

// "Plain" is stationery.
std::string IppPaperType(std::string_view choice);

// As it is in the file, without characters that keywords do not have.
std::string IppSameName(std::string_view choice);

}  // namespace halftoned
