// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <string_view>

#include "printer_app/front/rules/ipp_scan.h"

namespace halftoned {

// The length of the message that the bytes begin with; 0 if the scan refuses
// them.
inline size_t LengthOf(std::string_view bytes) {
  IppScan scan;
  while (scan.wanted() > 0) {
    const size_t at = scan.message().size();
    if (bytes.size() < at + scan.wanted() ||
        !scan.Take(bytes.substr(at, scan.wanted()))) {
      return 0;
    }
  }
  return scan.message().size();
}

}  // namespace halftoned
