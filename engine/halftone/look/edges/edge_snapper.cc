// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/edges/edge_snapper.h"

#include <utility>

#include "halftone/look/edges/row_bits.h"
#include "halftone/look/edges/soft_edges.h"
#include "halftone/page/print_feedback.h"

namespace halftoned {
namespace {

// A row is finished when the next one has been added.
class CrispRows : public EdgeSnapper {
 public:
  CrispRows(const Page& page, const simd::PureLimits& limits,
            uint16_t white_from, const simd::PureKernels& kernels)
      : columns_(static_cast<size_t>(page.width())),
        kernels_(kernels),
        limits_(limits),
        white_from_(white_from),
        above_(page),
        here_(page),
        below_(page) {}

  void Add(std::byte* row) override {
    below_.kinds = kernels_.find(row, columns_, limits_, below_.row());
    Advance();
    last_ = row;
  }

  void AddEnd() override {
    below_.Clear();
    Advance();
    last_ = nullptr;
  }

  int32_t unfinished() const override { return last_ ? 1 : 0; }
  void Move(int32_t /*nth*/, std::byte* row) override { last_ = row; }

 private:
  void Advance() {
    SnapLast();
    std::swap(above_, here_);
    std::swap(here_, below_);
  }

  void SnapLast() {
    if (!MaySnap(above_.kinds, here_.kinds, below_.kinds)) return;
    kernels_.snap(above_.row(), here_.row(), below_.row(), limits_, white_from_,
                  last_, columns_);
  }

  const size_t columns_;
  const simd::PureKernels kernels_;
  const simd::PureLimits limits_;
  const uint16_t white_from_;  // flipped samples from here on become white

  // The row added last, whose bits here_ has; before the first row there are
  // none, so nothing is snapped.
  std::byte* last_ = nullptr;
  RowBits above_;
  RowBits here_;
  RowBits below_;
};

}  // namespace

bool DarkensStrokes(const Recipe& recipe) {
  return recipe.has_feedback() &&
         recipe.parameter(Recipe::kFeedback) > kFullFeedback / 2;
}

std::unique_ptr<EdgeSnapper> EdgeSnapper::Make(
    const Page& page, const ToneCurve& curve, TextEdges edges,
    bool darkens_strokes, const simd::PureKernels& kernels) {
  const auto limits = simd::PureLimitsOf(curve, page.depth());
  if (edges == TextEdges::kOff || !limits) return nullptr;
  if (edges != TextEdges::kCrisp) {
    return std::make_unique<SoftEdges>(page, curve, *limits,
                                       edges == TextEdges::kBarcode,
                                       darkens_strokes, kernels);
  }
  const auto white_from = static_cast<uint16_t>(
      simd::FirstSampleOf(kWhite / 2 + 1, page.depth(), curve, limits->flip));
  return std::make_unique<CrispRows>(page, *limits, white_from, kernels);
}

int32_t MostUnfinished(TextEdges edges) {
  switch (edges) {
    case TextEdges::kOff:
      return 0;
    case TextEdges::kCrisp:
      return 1;
    case TextEdges::kSoft:
    case TextEdges::kBarcode:
      return SoftEdges::MostUnfinished();
  }
  return 0;
}

}  // namespace halftoned
