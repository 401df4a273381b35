// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the values of a client's request. PAPPL 1.3 uses a value as a string
// wherever the standards of IPP have a keyword, and crashes if it is none; and
// it copies as many papers as a client sends, beyond its room, and repeats the
// events of a subscription that is named repeatedly. It takes a minute for
// `all` a thousand times. So attributes of wrong types, collections with such a
// member, and surplus or repeated values are removed before PAPPL sees them.
// Pure.

#pragma once

#include <cups/ipp.h>

#include <string>
#include <string_view>
#include <vector>

namespace halftoned {

// A line for each attribute that is taken out of `request`. Keywords that an
// attribute repeats are left out without one.
std::vector<std::string> LeaveOutWrongValues(ipp_t* request);

// Whether the request has more than one group of subscription attributes.
// PAPPL 1.3 adds attributes without end when it answers such a request.
bool HasSeveralSubscriptions(ipp_t* request);

// Whether it is one of the standards' attributes that PAPPL reads.
bool IsStandard(std::string_view name);

}  // namespace halftoned
