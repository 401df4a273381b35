// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of CUPS' backends that wait for their printer, in the language of
// the job. Most of these messages have no keyword.

#pragma once

#include <string>

namespace halftoned {

// Whether the message, one line without a final period, says that the printer
// does not answer. catalogs: CUPS' directory of translations; without one, only
// English is understood.
bool SaysNoAnswer(const std::string& message, const std::string& catalogs);

}  // namespace halftoned
