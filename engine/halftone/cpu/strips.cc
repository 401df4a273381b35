// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/strips.h"

#include <algorithm>
#include <cstddef>

namespace halftoned {
namespace {

class BandStrips : public Strips {
 public:
  BandStrips(const Page& page, const Recipe& recipe, Kernel kernel)
      : page_(page),
        recipe_(recipe),
        kernel_(kernel),
        carry_(Carry::AtStart(recipe, page)) {}

  int32_t rows_per_strip() const override { return 1; }
  bool can_overlap() const override { return false; }

  void Restart(const Carry& carry) override { carry_ = carry; }

  void Run(const StripJob& job) override {
    kernel_({page_, recipe_, job.gray, job.bits, carry_});
    carry_.set_next_row(carry_.next_row() + job.gray.rows);
    if (!job.below) return;
    for (size_t i = 0; i < recipe_.carry_planes().size(); ++i) {
      std::ranges::copy(carry_.plane(i), job.below->plane(i).begin());
    }
  }

 private:
  const Page page_;
  const Recipe recipe_;
  const Kernel kernel_;
  Carry carry_;
};

}  // namespace

std::unique_ptr<Strips> StripsOfBands(const Page& page, const Recipe& recipe,
                                      Kernel kernel) {
  return std::make_unique<BandStrips>(page, recipe, kernel);
}

}  // namespace halftoned
