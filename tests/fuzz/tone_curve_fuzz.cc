// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every curve that ToneCurve::Parse accepts begins with black, never falls and
// ends with white; an error is one line.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "halftone/page/tone_curve.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace halftoned;  // NOLINT
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto curve = ToneCurve::Parse(text);
  if (!curve.ok()) {
    if (curve.error().message.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  const ToneCurve::Table& table = curve->table();
  if (table.front() != 0 || table.back() != kWhite) std::abort();
  if (!std::ranges::is_sorted(table)) std::abort();
  return 0;
}
