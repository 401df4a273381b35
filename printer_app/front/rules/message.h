// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IPP messages in memory. Pure.

#pragma once

#include <cups/ipp.h>

#include <memory>
#include <string>
#include <string_view>

namespace halftoned {

struct DeleteIpp {
  void operator()(ipp_t* ipp) const { ippDelete(ipp); }
};
using Ipp = std::unique_ptr<ipp_t, DeleteIpp>;

// message: accepted by IppScan. Null if it is not valid nevertheless.
Ipp ParseIpp(std::string_view message);

std::string WriteIpp(ipp_t* ipp);

// The attribute's text; empty if there is none.
const char* TextIn(ipp_t* ipp, const char* name, ipp_tag_t tag);

// True if the answer says that the request succeeded.
bool IsDone(ipp_t* answer);

// True if a list of jobs has the same job twice.
bool NamesAJobTwice(ipp_t* list);
// Adds the jobs of `more` that are not in `list`, up to a total of `most`; 0:
// no limit.
void AddJobs(ipp_t* list, ipp_t* more, int most);

// A copy of the message without attributes.
Ipp EmptyCopy(ipp_t* message);

// A copy of the message with one more attribute at the end of a group. Other
// groups may follow it.
Ipp WithString(ipp_t* message, ipp_tag_t group, ipp_tag_t kind,
               const char* name, const std::string& value);
Ipp WithInteger(ipp_t* message, ipp_tag_t group, const char* name, int value);

}  // namespace halftoned
