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

// One that IppScan has taken; null if it is none all the same.
Ipp ParseIpp(std::string_view message);

std::string WriteIpp(ipp_t* ipp);

// Empty if there is none.
const char* TextIn(ipp_t* ipp, const char* name, ipp_tag_t tag);

// Whether the answer says that the request was carried out.
bool IsDone(ipp_t* answer);

// Whether a list of jobs has one twice.
bool NamesAJobTwice(ipp_t* list);
// Adds the jobs of `more` that the list does not name, up to `most` in all;
// most: 0 for any number.
void AddJobs(ipp_t* list, ipp_t* more, int most);

// The same message without attributes.
Ipp EmptyCopy(ipp_t* message);

// The same with an attribute more at the end of a group, which others may
// follow.
Ipp WithString(ipp_t* message, ipp_tag_t group, ipp_tag_t kind,
               const char* name, const std::string& value);

}  // namespace halftoned
