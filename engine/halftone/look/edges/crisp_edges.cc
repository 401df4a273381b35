// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/edges/crisp_edges.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace halftoned {
namespace {

// Rows are read in parts that are still in the second-level cache when they are
// searched: half of a cache of 512 KiB.
constexpr size_t kBytesAtOnce = size_t{256} << 10;

}  // namespace

CrispEdges::CrispEdges(Source& source, const Page& page,
                       std::unique_ptr<EdgeSnapper> snapper, TextEdges edges)
    : source_(source),
      row_bytes_(page.gray_bytes_per_row()),
      rows_at_once_(
          static_cast<int32_t>(std::max<size_t>(kBytesAtOnce / row_bytes_, 1))),
      most_ahead_(MostUnfinished(edges) + 1),
      snapper_(std::move(snapper)) {
  if (snapper_) {
    ahead_ = std::make_unique_for_overwrite<std::byte[]>(
        row_bytes_ * static_cast<size_t>(most_ahead_));
  }
}

std::byte* CrispEdges::AheadRow(int32_t nth) {
  const int32_t at = (first_ahead_ + nth) % most_ahead_;
  return ahead_.get() + static_cast<size_t>(at) * row_bytes_;
}

Result<int32_t> CrispEdges::ReadSome(GrayRoom room) {
  room.rows = std::min(room.rows, rows_at_once_);
  HALFTONED_TRY_ASSIGN(const Filled filled, source_.Read(room));
  for (int32_t i = 0; i < filled.rows; ++i) snapper_->Add(room.row(i));
  ended_ = filled.last;
  if (ended_) snapper_->AddEnd();
  return filled.rows;
}

// Reads until no row before those ahead is unfinished, and either a row is
// ahead or none is left.
Result<void> CrispEdges::ReadAhead() {
  while (!ended_ &&
         (rows_ahead_ == 0 || snapper_->unfinished() > rows_ahead_)) {
    HALFTONED_TRY_ASSIGN(const int32_t rows,
                         ReadSome({AheadRow(rows_ahead_), row_bytes_, 1}));
    rows_ahead_ += rows;
  }
  return {};
}

Result<Filled> CrispEdges::Read(GrayRoom room) {
  if (!snapper_) return source_.Read(room);
  int32_t rows = 0;
  for (; rows_ahead_ > 0 && rows < room.rows; ++rows) {
    std::memcpy(room.row(rows), AheadRow(0), row_bytes_);
    const int32_t nth = snapper_->unfinished() - rows_ahead_;
    if (nth >= 0) snapper_->Move(nth, room.row(rows));
    first_ahead_ = (first_ahead_ + 1) % most_ahead_;
    --rows_ahead_;
  }
  while (!ended_ && rows < room.rows) {
    HALFTONED_TRY_ASSIGN(
        const int32_t more,
        ReadSome({room.row(rows), room.bytes_per_row, room.rows - rows}));
    rows += more;
  }
  HALFTONED_TRY(ReadAhead());
  return Filled{rows, ended_ && rows_ahead_ == 0};
}

}  // namespace halftoned
