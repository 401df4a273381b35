// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far an adopted PPD file has moved from what adoption would make of it
// today. Pure.

#ifndef HALFTONED_TOOLS_ADOPT_DRIFT_H_
#define HALFTONED_TOOLS_ADOPT_DRIFT_H_

#include <string>
#include <string_view>
#include <vector>

namespace halftoned {

// Whether two PPD files differ in more than ends of lines and the defaults,
// which are the administrator's.
bool IsDifferent(std::string_view a, std::string_view b);

// Why the adopted `ppd` should be adopted anew, for a person; empty if nothing
// is wrong. `models`: the names of the models that CUPS could install: since
// adopted queues are not updated with their driver, a model that goes by
// another version now is told of.
std::string DriftOf(std::string_view ppd,
                    const std::vector<std::string>& models);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_DRIFT_H_
