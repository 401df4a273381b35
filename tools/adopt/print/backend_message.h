// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUPS' backends say while they wait for their printer, in the language of
// the job: mostly there is no keyword for it.

#pragma once

#include <string>

namespace halftoned {

// Whether the message, which is one line without a full stop at its end, says
// that the printer does not answer. catalogs: CUPS' directory of translations;
// without one, only English is understood.
bool SaysNoAnswer(const std::string& message, const std::string& catalogs);

}  // namespace halftoned
