// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/simd/simd_strips.h"

#include "halftone/scalar.h"
#include "halftone/simd/curve_tables.h"
#include "halftone/simd/line.h"
#include "halftone/simd/wave.h"

namespace halftoned::simd {
namespace {

class SimdStrips : public Strips {
 public:
  SimdStrips(const Page& page, const Recipe& recipe, const Target& target)
      : page_(page),
        target_(target),
        recipe_(recipe),
        line_(recipe, page.width()) {
    if (!recipe.curve().is_identity()) {
      curve_ = std::make_unique<CurveTables>(recipe.curve());
    }
  }

  int32_t rows_per_strip() const override {
    return target_.vectors * target_.lanes;
  }

  void Restart(const Carry& carry) override { line_.Set(carry); }

  void Run(const StripJob& job) override {
    Wave({.target = &target_,
          .page = page_,
          .recipe = &recipe_,
          .curve = curve_.get(),
          .gray = job.gray,
          .bits = job.bits,
          .next = job.next,
          .line = &line_,
          .below = job.below,
          .above = job.above,
          .own = job.own,
          .is_cancelled = job.is_cancelled})
        .Run();
  }

 private:
  const Page page_;
  const Target& target_;
  const Recipe recipe_;
  std::unique_ptr<CurveTables> curve_;
  Line line_;
};

}  // namespace

std::unique_ptr<Strips> OpenStrips(const Page& page, const Recipe& recipe,
                                   const Target& target) {
  if (recipe.algorithm() == Algorithm::kBiLevel) {
    return StripsOfBands(page, recipe, HalftoneBiLevel);
  }
  return std::make_unique<SimdStrips>(page, recipe, target);
}

}  // namespace halftoned::simd
