// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/voices.h"

#include <strings.h>

namespace halftoned {

bool Voices::IsAuto(const std::string& text) {
  return ::strcasecmp(text.c_str(), "auto") == 0;
}

}  // namespace halftoned
