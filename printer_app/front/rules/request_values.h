// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of a client's request. PAPPL 1.3 takes what the standards of IPP
// call a keyword for a string without a look, and ends where it is none; and
// as many papers as a client sends for as many as it has room for. So
// attributes of other kinds than the standards say, collections with such a
// member, and more values than there may be, are left out before PAPPL sees
// them. Pure.

#ifndef HALFTONED_PRINTER_APP_FRONT_RULES_REQUEST_VALUES_H_
#define HALFTONED_PRINTER_APP_FRONT_RULES_REQUEST_VALUES_H_

#include <cups/ipp.h>

#include <string>
#include <string_view>
#include <vector>

namespace halftoned {

// A line for each attribute that is taken out of `request`.
std::vector<std::string> LeaveOutWrongValues(ipp_t* request);

// Whether it is one of the standards' attributes that PAPPL reads.
bool IsStandard(std::string_view name);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_FRONT_RULES_REQUEST_VALUES_H_
