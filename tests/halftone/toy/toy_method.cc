// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the place of the engine's all_methods.cc and definitions.cc.

#include "tests/halftone/toy/toy_method.h"

#include <vector>

#include "halftone/cpu/definition/methods.h"
#include "halftone/cpu/scalar.h"
#include "halftone/page/method.h"

namespace halftoned {
namespace {

using testing::kToy;

// Half of the error goes to the right and half down, more or less.
void DefineToy(const KernelJob& job) {
  StateRows errors(job.carry.plane(0), 0);
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = EmptyBits(job, i);
    for (int32_t j = 0; j < job.page.width(); ++j) {
      const int v = CurvedValue(job, i, j);
      const int given = (errors.Left(j) + errors.Above(j)) >> 1;
      const int s = IsPure(job.recipe, v) ? v : v + given;
      const bool is_white = s > kWhite / 2;
      errors.Set(j, s - (is_white ? kWhite : 0));
      PutSample(bits, j, 1, is_white);
    }
    errors.EndRow();
  }
}

template <typename T>
std::vector<T> And(std::span<const T> shipped, const T& toy) {
  std::vector<T> all(shipped.begin(), shipped.end());
  all.push_back(toy);
  return all;
}

}  // namespace

std::span<const Method> Methods() {
  static const std::vector<Method> all = And(
      ShippedMethods(),
      Method{.id = kToy,
             .name = "toy",
             .has_levels = false,
             .parameters = {Method::Range{0, 1}},
             .check = nullptr,
             .plane_count = 1,
             .planes = {CarryPlane{.min = -2039, .max = 2040, .start = 0}}});
  return all;
}

std::span<const KernelEntry> Definitions() {
  static const std::vector<KernelEntry> all =
      And(ShippedDefinitions(), KernelEntry{kToy, DefineToy});
  return all;
}

namespace testing {

Recipe ToyRecipe(bool is_pure) {
  Recipe::Parts parts;
  parts.algorithm = kToy.algorithm;
  parts.version = kToy.version;
  parts.parameters[Recipe::kPure] = is_pure;
  return *Recipe::Make(parts);
}

}  // namespace testing
}  // namespace halftoned
