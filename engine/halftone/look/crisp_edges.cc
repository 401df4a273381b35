// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/crisp_edges.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace halftoned {
namespace {

template <typename Sample>
void Snap(std::byte* row, size_t column, uint64_t edges, uint16_t flip,
          uint16_t white_from) {
  auto* samples = reinterpret_cast<Sample*>(row) + column;
  for (; edges != 0; edges &= edges - 1) {
    Sample& sample = samples[std::countr_zero(edges)];
    const bool white = static_cast<Sample>(sample ^ flip) >= white_from;
    sample = static_cast<Sample>((white ? ~0u : 0u) ^ flip);
  }
}

}  // namespace

CrispEdges::CrispEdges(Source& source, const Page& page, const ToneCurve& curve)
    : source_(source),
      page_(page),
      words_((static_cast<size_t>(page.width()) + 63) / 64),
      kernels_(simd::FastestPureKernels(page.depth())),
      above_(words_),
      here_(words_),
      below_(words_),
      edges_(words_) {
  const auto limits = simd::PureLimitsOf(curve, page.depth());
  has_pure_ = limits.has_value();
  if (!has_pure_) return;
  limits_ = *limits;
  snap_white_ = static_cast<uint16_t>(
      simd::FirstSampleOf(kWhite / 2 + 1, page.depth(), curve, limits->flip));
  ahead_.resize(page.gray_bytes_per_row());
}

Result<int32_t> CrispEdges::ReadRows(GrayRoom room) {
  int32_t rows = 0;
  while (!ended_ && rows < room.rows) {
    HALFTONED_TRY_ASSIGN(
        const Filled filled,
        source_.Read({room.row(rows), room.bytes_per_row, room.rows - rows}));
    rows += filled.rows;
    ended_ = filled.last;
  }
  return rows;
}

Result<void> CrispEdges::ReadAhead() {
  HALFTONED_TRY_ASSIGN(const int32_t rows,
                       ReadRows({ahead_.data(), ahead_.size(), 1}));
  has_ahead_ = rows == 1;
  return {};
}

Result<Filled> CrispEdges::Read(GrayRoom room) {
  if (!has_pure_) return source_.Read(room);
  int32_t rows = 0;
  if (has_ahead_) {
    std::memcpy(room.row(0), ahead_.data(), ahead_.size());
    rows = 1;
  }
  HALFTONED_TRY_ASSIGN(
      const int32_t more,
      ReadRows({room.row(rows), room.bytes_per_row, room.rows - rows}));
  rows += more;
  HALFTONED_TRY(ReadAhead());
  for (int32_t i = 0; i < rows; ++i) {
    if (!std::exchange(begun_, true)) Classify(room.row(0), here_);
    const std::byte* below = i + 1 < rows ? room.row(i + 1)
                             : has_ahead_ ? ahead_.data()
                                          : nullptr;
    if (below) {
      Classify(below, below_);
    } else {
      below_.Clear();
    }
    SnapRow(room.row(i));
    std::swap(above_, here_);
    std::swap(here_, below_);
  }
  return Filled{rows, ended_ && !has_ahead_};
}

void CrispEdges::Classify(const std::byte* row, PureBits& pure) const {
  kernels_.find(row, static_cast<size_t>(page_.width()), limits_, pure.row());
}

void CrispEdges::SnapRow(std::byte* row) {
  const bool any = kernels_.find_edges(above_.row(), here_.row(), below_.row(),
                                       words_, edges_.data());
  if (!any) return;
  const size_t columns_behind = static_cast<size_t>(page_.width()) % 64;
  if (columns_behind != 0) {
    edges_.back() &= (uint64_t{1} << columns_behind) - 1;
  }
  for (size_t word = 0; word < words_; ++word) {
    if (edges_[word] != 0) SnapPixels(row, 64 * word, edges_[word]);
  }
}

void CrispEdges::SnapPixels(std::byte* row, size_t column,
                            uint64_t edges) const {
  if (page_.depth() == Depth::k8) {
    Snap<uint8_t>(row, column, edges, limits_.flip, snap_white_);
  } else {
    Snap<uint16_t>(row, column, edges, limits_.flip, snap_white_);
  }
}

}  // namespace halftoned
