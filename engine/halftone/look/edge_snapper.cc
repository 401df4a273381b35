// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/edge_snapper.h"

#include <algorithm>
#include <utility>

namespace halftoned {
namespace {

size_t WordsOf(const Page& page) {
  return (static_cast<size_t>(page.width()) + 63) / 64;
}

}  // namespace

EdgeSnapper::EdgeSnapper(const Page& page, const ToneCurve& curve,
                         const simd::PureKernels& kernels)
    : columns_(static_cast<size_t>(page.width())),
      kernels_(kernels),
      above_(WordsOf(page)),
      here_(WordsOf(page)),
      below_(WordsOf(page)) {
  const auto limits = simd::PureLimitsOf(curve, page.depth());
  is_needed_ = limits.has_value();
  if (!is_needed_) return;
  limits_ = *limits;
  snap_white_ = static_cast<uint16_t>(
      simd::FirstSampleOf(kWhite / 2 + 1, page.depth(), curve, limits->flip));
}

void EdgeSnapper::Add(std::byte* row) {
  below_.kinds = kernels_.find(row, columns_, limits_, below_.pure());
  Advance();
  last_ = row;
}

void EdgeSnapper::AddEnd() {
  std::ranges::fill(below_.bits, 0);
  below_.kinds = {};
  Advance();
}

void EdgeSnapper::Advance() {
  SnapLast();
  std::swap(above_, here_);
  std::swap(here_, below_);
}

void EdgeSnapper::SnapLast() {
  const simd::PureKinds& above = above_.kinds;
  const simd::PureKinds& here = here_.kinds;
  const simd::PureKinds& below = below_.kinds;
  if (!here.gray || !(above.black || here.black || below.black) ||
      !(above.white || here.white || below.white)) {
    return;
  }
  kernels_.snap(above_.pure(), here_.pure(), below_.pure(), limits_,
                snap_white_, last_, columns_);
}

}  // namespace halftoned
