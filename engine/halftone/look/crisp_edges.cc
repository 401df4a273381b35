// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/crisp_edges.h"

#include <algorithm>
#include <cstring>

namespace halftoned {
namespace {

// Rows are read in parts that are still in the second cache when they are
// searched: half of one of 512 KiB.
constexpr size_t kBytesAtOnce = size_t{256} << 10;

}  // namespace

CrispEdges::CrispEdges(Source& source, const Page& page, const ToneCurve& curve,
                       const simd::PureKernels& kernels)
    : source_(source),
      rows_at_once_(static_cast<int32_t>(
          std::max<size_t>(kBytesAtOnce / page.gray_bytes_per_row(), 1))),
      edges_(page, curve, kernels) {
  if (edges_.IsNeeded()) ahead_.resize(page.gray_bytes_per_row());
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
  if (!edges_.IsNeeded()) return source_.Read(room);
  int32_t rows = 0;
  if (has_ahead_) {
    std::memcpy(room.row(0), ahead_.data(), ahead_.size());
    edges_.Move(room.row(0));
    rows = 1;
  }
  while (!ended_ && rows < room.rows) {
    HALFTONED_TRY_ASSIGN(
        const int32_t more,
        ReadSome({room.row(rows), room.bytes_per_row, room.rows - rows}));
    for (const int32_t end = rows + more; rows < end; ++rows) {
      edges_.Add(room.row(rows));
    }
  }
  HALFTONED_TRY(ReadAhead());
  if (has_ahead_) {
    edges_.Add(ahead_.data());
  } else {
    edges_.AddEnd();
  }
  return Filled{rows, !has_ahead_};
}

}  // namespace halftoned
