// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/found_codes.h"

#include <algorithm>
#include <cstring>

namespace halftoned {
namespace {

constexpr int64_t kCellRows = simd::kCellSide;
constexpr int64_t kFinderRows[] = {2, 6};  // rows of pixels in a cell

}  // namespace

FoundCodes::FoundCodes(const Page& page, uint16_t flip,
                       const simd::PureKernels& kernels, const KnownRows& rows)
    : rows_(page, flip, rows),
      words_((static_cast<size_t>(page.width()) + 63) / 64),
      cells_(rows_),
      edges_(rows_, kernels),
      linear_(rows_),
      ladders_(rows_, cells_),
      data_matrices_(rows_, cells_),
      squares_(rows_),
      aztecs_(rows_) {}

void FoundCodes::Add(std::span<const uint16_t> least,
                     std::span<const uint16_t> most) {
  const int64_t at = cells_.count();
  cells_.Add(least, most);
  SearchLinear(at);
  if (at >= kFindersBehind) SearchFinders(at - kFindersBehind);
  squares_.TryAbove(kCellRows * (at - kQrBehind + 1));
  aztecs_.Try();
  for (const int64_t ahead : LadderCodes::kSearches) {
    if (at >= ahead) ladders_.Search(at - ahead, ahead);
  }
  ladders_.Follow();
  if (at >= DataMatrixCodes::kAhead) {
    data_matrices_.Search(at - DataMatrixCodes::kAhead);
  }
}

void FoundCodes::AddEnd() {
  const int64_t end = cells_.count();
  for (int64_t at = std::max<int64_t>(end - kFindersBehind, 0); at < end;
       ++at) {
    SearchFinders(at);
  }
  squares_.TryAbove(kCellRows * end);
  aztecs_.Try();
  static_assert(LadderCodes::kAheadAgain == DataMatrixCodes::kAhead);
  for (int64_t at = std::max<int64_t>(end - DataMatrixCodes::kAhead, 0);
       at < end; ++at) {
    ladders_.Search(at, LadderCodes::kAheadAgain);
    data_matrices_.Search(at);
  }
  ladders_.Follow();
}

void FoundCodes::SearchLinear(int64_t at) {
  if (!linear_.Begin(at)) return;
  const std::byte* const row =
      rows_.Row(kCellRows * at + LinearCodes::kRowOfCell);
  if (!row) return;
  for (const Stretch& stretch : cells_.StretchesAt(at)) {
    edges_.Find(stretch, row);
    linear_.Add(edges_);
  }
}

void FoundCodes::SearchFinders(int64_t at) {
  for (const Stretch& stretch : cells_.StretchesAt(at)) {
    for (const int64_t i : kFinderRows) {
      const std::byte* const row = rows_.Row(kCellRows * at + i);
      if (!row) return;
      edges_.Find(stretch, row);
      // Finders of QR codes begin dark, those of Aztec codes light.
      marks_.ForEach(edges_.columns(), [&](size_t edge, int16_t marks) {
        if (edge % 2 != 0) {
          aztecs_.SearchAt(kCellRows * at + i, edges_, edge, marks);
        } else if ((marks & RingMarks::kRing) != 0) {
          squares_.SearchAt(kCellRows * at + i, edges_, edge);
        }
      });
    }
  }
}

void FoundCodes::Decide(int64_t row, const simd::PureRow& pure,
                        const simd::EdgeKernels& kernels, std::byte* bytes) {
  if (linear_.is_empty() && ladders_.is_empty() && data_matrices_.is_empty() &&
      squares_.is_empty() && aztecs_.is_empty()) {
    return;
  }
  found_.clear();
  linear_.AddStretches(row, found_);
  ladders_.AddStretches(row, found_);
  data_matrices_.AddStretches(row, found_);
  squares_.AddStretches(row, found_);
  aztecs_.AddStretches(row, found_);
  if (found_.empty()) return;
  const size_t sample_bytes = BytesPerSample(rows_.depth());
  light_from_.resize(kCellRows *
                     ((static_cast<size_t>(rows_.columns()) + 7) / 8) *
                     sample_bytes);
  mask_.assign(words_, 0);
  for (const CodeStretch& each : found_) {
    for (size_t i = each.left; i < each.right; ++i) {
      std::memcpy(&light_from_[i * sample_bytes], &each.light_from,
                  sample_bytes);
      mask_[i / 64] |= uint64_t{1} << i % 64;
    }
  }
  for (size_t word = 0; word < words_; ++word) {
    mask_[word] &= ~(pure.black[word] | pure.white[word]);
  }
  kernels.decide(light_from_.data(), mask_.data(), rows_.columns(),
                 rows_.flip(), bytes);
}

}  // namespace halftoned
