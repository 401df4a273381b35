// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/simd/simd_strips.h"

#include "halftone/simd/curve_tables.h"
#include "halftone/simd/error_line.h"
#include "halftone/simd/wave.h"

namespace halftoned::simd {
namespace {

class SimdStrips : public Strips {
 public:
  SimdStrips(const Page& page, const Recipe& recipe, const Target& target)
      : page_(page),
        target_(target),
        levels_(recipe.levels()),
        line_(page.width()) {
    if (!recipe.curve().is_identity()) {
      curve_ = std::make_unique<CurveTables>(recipe.curve());
    }
  }

  int32_t rows_per_strip() const override {
    return target_.vectors * target_.lanes;
  }

  void Restart(const Carry& carry) override { line_.Set(carry.plane(0)); }

  void Run(const StripJob& job) override {
    Wave({.target = &target_,
          .page = page_,
          .levels = levels_.count,
          .sample_bits = levels_.bits_per_sample,
          .curve = curve_.get(),
          .gray = job.gray,
          .bits = job.bits,
          .next = job.next,
          .line = &line_,
          .last_errors = job.below ? job.below->plane(0).data() : nullptr,
          .above = job.above,
          .own = job.own,
          .is_cancelled = job.is_cancelled})
        .Run();
  }

 private:
  const Page page_;
  const Target& target_;
  const Levels levels_;
  std::unique_ptr<CurveTables> curve_;
  ErrorLine line_;
};

}  // namespace

std::unique_ptr<Strips> OpenStrips(const Page& page, const Recipe& recipe,
                                   const Target& target) {
  return std::make_unique<SimdStrips>(page, recipe, target);
}

}  // namespace halftoned::simd
