// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the values of a client's request. PAPPL 1.3 has six faults:
//
//   It uses any value as a string where IPP defines a keyword, and crashes if
//   the value is not a string.
//   It copies all papers that a client sends, beyond the end of its array.
//   It repeats the events of a subscription that the request names repeatedly.
//   It keeps a client's claims about the job's owner or state, too.
//   It checks the first attribute of a name, and keeps those of the job's
//   group. It takes a minute to answer a request that repeats `all` a thousand
//   times.
//
// So this removes attributes of wrong types, collections that have one as a
// member, claims about the job, repeated attributes, and surplus or repeated
// values before PAPPL sees them. Pure.

#pragma once

#include <cups/ipp.h>

#include <string>
#include <string_view>
#include <vector>

namespace halftoned {

// Returns a line for each attribute that it removes from `request`. Removes
// repeated keywords without one. Names of standard attributes become small.
std::vector<std::string> LeaveOutWrongValues(ipp_t* request);

// True if the request has more than one group of subscription attributes. PAPPL
// 1.3 would add attributes to its answer without end.
bool HasSeveralSubscriptions(ipp_t* request);

// Whether PAPPL would cut it. Quotes and backslashes count twice, because PAPPL
// writes a backslash before each, into a line that must not be too long
// (state_file.h).
bool IsTooLongUri(std::string_view uri);

// True if `name` is a standard attribute that PAPPL reads.
bool IsStandard(std::string_view name);

// Whether it has one value for each tray; trays can hold the same paper.
bool IsByTray(ipp_attribute_t* attribute);

}  // namespace halftoned
