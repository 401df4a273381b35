// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever Carry::Load accepts is within the recipe's bounds, and saves to
// the same bytes.

#include <algorithm>
#include <cstdlib>
#include <span>

#include "halftone/carry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace halftoned;  // NOLINT
  static const Recipe recipe = Recipe::FloydSteinberg();
  // Small, so that the fuzzer soon finds the size; the tag is given to it.
  static const Page page = *Page::Make(3, 8);
  static const std::vector<std::byte> good =
      Carry::AtStart(recipe, page).Save();
  std::vector<std::byte> blob(size);
  std::ranges::transform(std::span(data, size), blob.begin(),
                         [](uint8_t b) { return std::byte{b}; });
  if (blob.size() >= 16) std::copy_n(good.begin(), 16, blob.begin());

  const auto carry = Carry::Load(blob, recipe, page);
  if (!carry.ok()) return 0;
  if (carry->Save() != blob) std::abort();
  for (int16_t value : carry->plane(0)) {
    if (value < -2039 || value > 2040) std::abort();
  }
  return 0;
}
