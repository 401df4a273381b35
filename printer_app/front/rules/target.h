// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target of an IPP request: the system, a printer, or a job of a printer.
// Pure.

#pragma once

#include <cups/ipp.h>

#include <optional>
#include <string>

namespace halftoned {

struct IppTarget {
  bool is_system = false;
  std::string resource;  // the path of its address
  std::string printer;   // its name in there; empty: the default one, or none
  int job = 0;           // 0: none
};

// Finds it, and leaves only one address in the request, of the system or a
// printer, and the job's number, so that any later reader finds the same
// target. Nothing if there is none.
std::optional<IppTarget> SettleTarget(ipp_t* request);

}  // namespace halftoned
