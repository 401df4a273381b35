// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares an adopted PPD file with what adoption would make of it today. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace halftoned {

// The end of a reason if adopting the file again is enough.
inline constexpr std::string_view kAdoptItAgain = "; adopt it again";

// Whether two PPD files differ in more than line ends and defaults, which the
// administrator may change.
bool IsDifferent(std::string_view a, std::string_view b);

// Why the adopted `ppd` should be adopted again, in words; empty if there is no
// reason. models: the names of the models that CUPS can install. CUPS does not
// update an adopted queue with its driver, so a newer version of the model is a
// reason.
std::string DriftOf(std::string_view ppd,
                    const std::vector<std::string>& models);

}  // namespace halftoned
