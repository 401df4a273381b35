// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/host/session/second_pass.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "halftone/gpu/host/track.h"
#include "halftone/page/best_table.h"

namespace halftoned::cuda {
namespace {

int64_t WholeSteps(int64_t row) { return row / kBestStep * kBestStep; }

// The number of rows of a carry, and the number of those whose first-pass bits
// it has.
constexpr int kCarriedRows = kBestRowsAbove + kBestRowsBelow;
constexpr int kFirstCarried = kBestRowsAbove - kBestRowsBelow;

size_t TonePitch(const ValidOrder& order) {
  return RoundUp16(static_cast<size_t>(order->page.width()));
}
size_t BitPitch(const ValidOrder& order) {
  return RoundUp16(order.bit_bytes_per_row());
}

// The rows of a band, and the rows above it, from the last answer on, that the
// next blocks reach.
int32_t WindowRows(const ValidOrder& order) {
  return order.rows_per_band() + kBestLookAhead + kBestStep + kBestRowsAbove;
}

size_t PlanesOfBits() { return 1 + (kSweeps + 1); }

// Extracts the bits of a row from the carry; `shift` other rows are below it.
void PutBits(std::span<const int16_t> plane, int shift, std::byte* bits) {
  for (size_t j = 0; j < plane.size(); ++j) {
    const unsigned bit = static_cast<unsigned>(plane[j]) >> shift & 1;
    bits[j / 8] |= static_cast<std::byte>(bit << (7 - j % 8));
  }
}

}  // namespace

size_t SecondPass::PlaneBytes(const ValidOrder& order) {
  return RoundUp16(kSwapPlanes * static_cast<size_t>(order->page.width()) *
                   sizeof(int16_t));
}

size_t SecondPass::DeviceBytes(const ValidOrder& order) {
  return static_cast<size_t>(WindowRows(order)) *
             (TonePitch(order) + PlanesOfBits() * BitPitch(order)) +
         PlaneBytes(order);
}

size_t SecondPass::HostBytes(const ValidOrder& order) {
  return kCarriedRows * (TonePitch(order) + 2 * BitPitch(order));
}

SecondPass::SecondPass(const ValidOrder& order, std::byte* device,
                       std::byte* host)
    : width_(order->page.width()),
      feedback_(order->recipe.parameter(Recipe::kFeedback)),
      host_(host) {
  window_.tone_pitch = static_cast<uint32_t>(TonePitch(order));
  window_.bit_pitch = static_cast<uint32_t>(BitPitch(order));
  window_.rows = WindowRows(order);
  const auto take = [&](size_t pitch) {
    std::byte* const plane = device;
    device += pitch * static_cast<size_t>(window_.rows);
    return plane;
  };
  window_.tones = take(window_.tone_pitch);
  window_.gray = take(window_.bit_pitch);
  for (std::byte*& plane : window_.bits) plane = take(window_.bit_pitch);
  planes_ = device;

  const int64_t first_row = order->page.first_row();
  const bool is_at_start = order.above().IsAtStart(order->recipe);
  finished_ = first_row;
  top_row_ = is_at_start ? first_row : first_row - kBestRowsAbove;
  first_pass_row_ = is_at_start ? first_row : first_row + kBestRowsBelow;
  for (size_t stage = 0; stage < next_.size(); ++stage) {
    const int shift = kSweepShifts[stage / 2];
    // Where a page begins, blocks reach above it.
    const bool reaches_up = is_at_start && shift > 0;
    next_[stage] = WholeSteps(first_row) + shift +
                   (reaches_up ? -kBestStep : 0) +
                   (stage % 2 == 0 ? 0 : kBestBlock);
  }
}

std::vector<SecondPass::Piece> SecondPass::PiecesOf(int64_t first_row,
                                                    int64_t end_row) const {
  std::vector<Piece> pieces;
  while (first_row < end_row) {
    const int64_t end_of_turn =
        first_row - window_.Place(first_row) + window_.rows;
    pieces.push_back({first_row, std::min(end_row, end_of_turn)});
    first_row = pieces.back().end_row;
  }
  return pieces;
}

std::vector<gpu::Rows> SecondPass::RowsAbove(const Carry& above) const {
  std::memset(host_, 0,
              kCarriedRows *
                  (size_t{window_.tone_pitch} + 2 * size_t{window_.bit_pitch}));
  std::byte* const tones = host_;
  std::byte* const first = tones + kCarriedRows * size_t{window_.tone_pitch};
  std::byte* const swept = first + kCarriedRows * size_t{window_.bit_pitch};
  const int64_t top = above.next_row() - kBestRowsAbove;
  for (int i = 0; i < kCarriedRows; ++i) {
    const auto row = static_cast<size_t>(i);
    const int shift = kCarriedRows - 1 - i;
    PutBits(above.plane(kBestSweptBits), shift,
            swept + row * window_.bit_pitch);
    if (i >= kFirstCarried) {
      PutBits(above.plane(kBestFirstBits), shift,
              first + row * window_.bit_pitch);
    }
    if (i >= kBestRowsAbove) continue;
    const auto two = above.plane(kBestTones + row / 2);
    for (size_t j = 0; j < two.size(); ++j) {
      tones[row * window_.tone_pitch + j] = static_cast<std::byte>(
          static_cast<unsigned>(two[j]) >> (row % 2 == 0 ? 0 : 8));
    }
  }
  std::vector<gpu::Rows> copies;
  for (const Piece& piece : PiecesOf(top, top + kCarriedRows)) {
    const auto add = [&](std::byte* to, const std::byte* from, size_t pitch) {
      copies.push_back(
          {to + static_cast<size_t>(window_.Place(piece.first_row)) * pitch,
           pitch, from + static_cast<size_t>(piece.first_row - top) * pitch,
           pitch, pitch, static_cast<size_t>(piece.end_row - piece.first_row)});
    };
    add(window_.tones, tones, window_.tone_pitch);
    add(window_.bits[0], first, window_.bit_pitch);
    add(window_.bits[1], swept, window_.bit_pitch);
  }
  return copies;
}

// The first row whose blocks a stage leaves to later jobs. A sweep needs the
// rows of the sweep before it, as far as the kernel reaches down from its last
// even blocks; and odd blocks need the even blocks below them.
int64_t SecondPass::EndOf(int stage, int64_t end_done) const {
  int64_t end = end_done;  // of the rows that a sweep has to finish
  for (int sweep = kSweeps - 1;; --sweep) {
    const int64_t first = kSweepShifts[sweep];
    // The last odd blocks that begin above it, and the even ones below those.
    const int64_t odd = (end - 1 - first - kBestBlock) / kBestStep * kBestStep +
                        first + kBestBlock;
    const int64_t even = odd + kBestBlock;
    if (stage / 2 == sweep) return (stage % 2 == 0 ? even : odd) + 1;
    end = even + kBestBlock + kBestReach;
  }
}

SwapJob SecondPass::Next(int64_t end_row, int64_t end_done, bool is_last) {
  SwapJob job{};
  job.window = window_;
  job.width = width_;
  job.feedback = feedback_;
  job.top_row = top_row_;
  job.end_row = is_last ? end_row : Page::kMaxRows;
  job.first_bits_row = first_pass_row_;
  if (!is_last && end_done == finished_) return job;
  finished_ = end_done;
  for (int stage = 0; stage < kSweepStages; ++stage) {
    int64_t& next = next_[static_cast<size_t>(stage)];
    const int64_t end = is_last ? end_row : EndOf(stage, end_done);
    SwapJob::Blocks& blocks = job.stages[stage];
    blocks.first_row = next;
    blocks.shift = kSweepShifts[stage / 2];
    if (end <= next) continue;
    blocks.count =
        static_cast<int32_t>((end - next + kBestStep - 1) / kBestStep);
    next += int64_t{blocks.count} * kBestStep;
  }
  job.carry_row = end_done;
  if (!is_last) job.carry = reinterpret_cast<int16_t*>(planes_);
  return job;
}

std::vector<gpu::Rows> SecondPass::Answer(int64_t first_row, int64_t end_row,
                                          std::byte* to,
                                          size_t row_bytes) const {
  std::vector<gpu::Rows> copies;
  for (const Piece& piece : PiecesOf(first_row, end_row)) {
    copies.push_back(
        {to + static_cast<size_t>(piece.first_row - first_row) * row_bytes,
         row_bytes,
         window_.bits[kSweeps] +
             static_cast<size_t>(window_.Place(piece.first_row)) *
                 window_.bit_pitch,
         window_.bit_pitch, row_bytes,
         static_cast<size_t>(piece.end_row - piece.first_row)});
  }
  return copies;
}

void SecondPass::ReadPlanes(const std::byte* planes, Carry& carry) {
  for (size_t i = 0; i < kSwapPlanes; ++i) {
    const auto plane = carry.plane(kBestFirstBits + i);
    std::memcpy(plane.data(), planes + i * plane.size_bytes(),
                plane.size_bytes());
  }
}

}  // namespace halftoned::cuda
