// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/two_pass/first_pass.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace halftoned {

FirstPass::FirstPass(const Page& page, const Recipe& recipe, const Carry& start,
                     TwoPassRows& rows, std::unique_ptr<Strips> strips)
    : gray_bytes_(page.gray_bytes_per_row()),
      rows_(rows),
      strips_(std::move(strips)),
      state_(Carry::AtStart(recipe.FirstPass(), page)) {
  std::ranges::copy(start.plane(0), state_.plane(0).begin());
  std::ranges::copy(start.plane(1), state_.plane(1).begin());
}

void FirstPass::Begin(int64_t row) {
  begin_ = row;
  gray_rows_.clear();
}

// The gray of the piece, which may come from several bands. Other processes may
// write to the caller's memory meanwhile, so it is read only once.
GrayBand FirstPass::GatherGray() {
  gathered_.resize(gray_rows_.size() * gray_bytes_);
  std::byte* to = gathered_.data();
  for (const std::byte* row : gray_rows_) {
    std::memcpy(to, row, gray_bytes_);
    to += gray_bytes_;
  }
  return {gathered_.data(), gray_bytes_,
          static_cast<int32_t>(gray_rows_.size())};
}

void FirstPass::Run(bool is_made, const std::atomic<bool>& is_cancelled) {
  const GrayBand gray = GatherGray();
  for (int32_t i = 0; i < gray.rows; ++i) {
    rows_.Read(begin_ + i, gray.row(i));
  }
  if (is_made) return;
  StripJob job;
  job.first_row = begin_;
  job.gray = gray;
  job.bits = rows_.BeginFirstPass(begin_, gray.rows);
  job.below = &state_;
  job.is_cancelled = &is_cancelled;
  state_.set_next_row(begin_);
  strips_->Restart(state_);
  strips_->Run(job);
  rows_.EndFirstPass(begin_, job.bits);
}

}  // namespace halftoned
