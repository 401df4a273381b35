// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/crisp_edges.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace halftoned {
namespace {

// Rows are read in parts that are still in the second cache when they are
// searched: half of one of 512 KiB.
constexpr size_t kBytesAtOnce = size_t{256} << 10;

}  // namespace

CrispEdges::CrispEdges(Source& source, const Page& page, const ToneCurve& curve,
                       const simd::PureKernels& kernels)
    : source_(source),
      page_(page),
      rows_at_once_(static_cast<int32_t>(
          std::max<size_t>(kBytesAtOnce / page.gray_bytes_per_row(), 1))),
      words_((static_cast<size_t>(page.width()) + 63) / 64),
      kernels_(kernels),
      above_(words_),
      here_(words_),
      below_(words_) {
  const auto limits = simd::PureLimitsOf(curve, page.depth());
  has_pure_ = limits.has_value();
  if (!has_pure_) return;
  limits_ = *limits;
  snap_white_ = static_cast<uint16_t>(
      simd::FirstSampleOf(kWhite / 2 + 1, page.depth(), curve, limits->flip));
  ahead_.resize(page.gray_bytes_per_row());
}

Result<int32_t> CrispEdges::ReadSome(GrayRoom room) {
  room.rows = std::min(room.rows, rows_at_once_);
  HALFTONED_TRY_ASSIGN(const Filled filled, source_.Read(room));
  ended_ = filled.last;
  return filled.rows;
}

Result<void> CrispEdges::ReadAhead() {
  has_ahead_ = false;
  while (!ended_ && !has_ahead_) {
    HALFTONED_TRY_ASSIGN(const int32_t rows,
                         ReadSome({ahead_.data(), ahead_.size(), 1}));
    has_ahead_ = rows == 1;
  }
  return {};
}

Result<Filled> CrispEdges::Read(GrayRoom room) {
  if (!has_pure_) return source_.Read(room);
  int32_t rows = 0;
  if (has_ahead_) {
    std::memcpy(room.row(0), ahead_.data(), ahead_.size());
    last_ = room.row(0);
    rows = 1;
  }
  while (!ended_ && rows < room.rows) {
    HALFTONED_TRY_ASSIGN(
        const int32_t more,
        ReadSome({room.row(rows), room.bytes_per_row, room.rows - rows}));
    for (const int32_t end = rows + more; rows < end; ++rows) {
      Add(room.row(rows));
    }
  }
  HALFTONED_TRY(ReadAhead());
  if (has_ahead_) {
    Add(ahead_.data());
  } else {
    AddEnd();
  }
  return Filled{rows, !has_ahead_};
}

void CrispEdges::Add(std::byte* row) {
  below_.kinds = kernels_.find(row, static_cast<size_t>(page_.width()), limits_,
                               below_.pure());
  Advance();
  last_ = row;
}

void CrispEdges::AddEnd() {
  below_ = RowBits(words_);
  Advance();
}

void CrispEdges::Advance() {
  SnapLast();
  std::swap(above_, here_);
  std::swap(here_, below_);
}

void CrispEdges::SnapLast() {
  const simd::PureKinds& above = above_.kinds;
  const simd::PureKinds& here = here_.kinds;
  const simd::PureKinds& below = below_.kinds;
  if (!here.gray || !(above.black || here.black || below.black) ||
      !(above.white || here.white || below.white)) {
    return;
  }
  kernels_.snap(above_.pure(), here_.pure(), below_.pure(), limits_,
                snap_white_, last_, static_cast<size_t>(page_.width()));
}

}  // namespace halftoned
