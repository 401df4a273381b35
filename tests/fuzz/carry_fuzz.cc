// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever Carry::Load accepts is within the recipe's bounds, and saves to
// the same bytes.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "halftone/page/carry.h"

namespace {

void Check(std::span<const std::byte> tail, const halftoned::Recipe& recipe) {
  using namespace halftoned;  // NOLINT
  // Small, so that the fuzzer soon finds the size; the tag is given to it.
  static const Page page = *Page::Make(3, 8);
  const std::vector<std::byte> good = Carry::AtStart(recipe, page).Save();
  std::vector<std::byte> blob(tail.begin(), tail.end());
  if (blob.size() >= 16) std::copy_n(good.begin(), 16, blob.begin());

  const auto carry = Carry::Load(blob, recipe, page);
  if (!carry.ok()) return;
  if (carry->Save() != blob) std::abort();
  for (size_t i = 0; i < recipe.carry_planes().size(); ++i) {
    const CarryPlane& bounds = recipe.carry_planes()[i];
    for (int16_t value : carry->plane(i)) {
      if (value < bounds.min || value > bounds.max) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using halftoned::Recipe;
  static const Recipe recipes[] = {
      Recipe::FloydSteinberg(), Recipe::Fine(), Recipe::BiLevel(),
      *Recipe::Make(Recipe::PartsOf(halftoned::Algorithm::kBest))};
  if (size == 0) return 0;
  Check(std::as_bytes(std::span(data + 1, size - 1)),
        recipes[data[0] % std::size(recipes)]);
  return 0;
}
