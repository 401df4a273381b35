// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Submit enqueues for a band (cuda_session.h).

#include <algorithm>
#include <cstring>
#include <utility>

#include "halftone/gpu/host/session/cuda_session.h"
#include "halftone/gpu/host/session/pixel_table.h"

namespace halftoned {
namespace {

using cuda::BandJob;
using cuda::KernelKind;
using cuda::Slot;
using cuda::SlotLayout;
using cuda::Track;
namespace gpu = cuda::gpu;

// No band takes a second; a kernel that has waited that long never gets what it
// waits for.
constexpr uint64_t kPatienceNs = 10'000'000'000;

// The number of blocks of a page of `best` that may wait. A strip takes as long
// as 16 others take to begin.
constexpr int kMostAhead = 30;

}  // namespace

Result<void> CudaSession::Enqueue(uint64_t number, const Band& band) {
  HALFTONED_TRY(device_.Enter());
  const Slot& slot = track_->slot(number);
  gpu::Stream* stream = slot.stream.get();
  if (band.rows > 0) {
    HALFTONED_TRY(Check(
        gpu::CopyUp(
            {slot.gray, layout_.gray_pitch, band.memory.gray, layout_.gray_row,
             layout_.gray_row, static_cast<size_t>(band.rows)},
            device_.up()),
        "copy a band to the GPU"));
  }
  HALFTONED_TRY(
      Check(gpu::Record(slot.copied.get(), device_.up()), "mark a band"));
  if (number == 0) HALFTONED_TRY(SendTables(stream));
  HALFTONED_TRY(MakeFresh(slot, band));
  HALFTONED_TRY(Check(gpu::Follow(slot.copied.get(), stream), "order bands"));
  if (number > 0) HALFTONED_TRY(FollowBandAbove(number));
  if (band.kernel_rows() > 0) {
    HALFTONED_TRY(Launch(number, band));
    HALFTONED_TRY(FetchStates(slot, band));
  }
  if (second_) {
    HALFTONED_TRY(RunSecondPass(slot, band));
    stream = track_->second();
  } else {
    HALFTONED_TRY(FetchBits(slot, band));
  }
  HALFTONED_TRY(Check(gpu::Record(slot.answered.get(), stream), "mark a band"));
  watched_.Add(number, slot.answered.get());
  return {};
}

Result<void> CudaSession::FetchBits(const Slot& slot, const Band& band) {
  return Check(gpu::CopyDown({band.memory.bits, layout_.bits_row, slot.bits,
                              layout_.bits_pitch, layout_.bits_row,
                              static_cast<size_t>(band.rows)},
                             slot.stream.get()),
               "copy bits from the GPU");
}

// Fetches the states below the last row and below the cuts.
Result<void> CudaSession::FetchStates(const Slot& slot, const Band& band) {
  const auto fetch = [&](size_t to, size_t from, size_t bytes) {
    return Check(gpu::CopyDown({slot.answer_host + to, bytes,
                                slot.fresh_states + from, bytes, bytes, 1},
                               slot.stream.get()),
                 "copy a carry from the GPU");
  };
  const size_t bytes = layout_.answer_bytes();
  HALFTONED_TRY(fetch(0, 0, bytes));
  if (cuts(band) == 0) return {};
  const int first = handed_.strips(band.head) - 1;
  return fetch(bytes, bytes + SlotLayout::RowBytes(layout_.state_row, first),
               SlotLayout::RowBytes(layout_.state_row, cuts(band)));
}

Result<void> CudaSession::RunSecondPass(const Slot& slot, const Band& band) {
  gpu::Stream* stream = track_->second();
  HALFTONED_TRY(
      Check(gpu::Record(slot.made.get(), slot.stream.get()), "mark a band"));
  HALFTONED_TRY(Check(gpu::Follow(slot.made.get(), stream), "order bands"));
  cuda::SwapJob job =
      second_->Next(band.end_row(), band.end_done, band.is_last);
  job.gray = slot.gray;
  job.gray_pitch = static_cast<uint32_t>(layout_.gray_pitch);
  job.bits = slot.bits;
  job.bit_pitch = static_cast<uint32_t>(layout_.bits_pitch);
  job.tone =
      reinterpret_cast<const int32_t*>(track_->tables() + layout_.state_row);
  job.deep = page_.depth() == Depth::k16;
  job.pure = recipe_.is_pure();
  job.first_row = band.first_row;
  job.rows = band.rows;
  HALFTONED_TRY(Check(gpu::Swap(job, stream), "start the second pass"));
  for (const gpu::Rows& rows :
       second_->Answer(band.first_done, band.end_done, band.memory.bits,
                       layout_.bits_row)) {
    HALFTONED_TRY(Check(gpu::CopyDown(rows, stream), "copy bits from the GPU"));
  }
  if (!job.carry) return {};
  std::byte* const planes = slot.answer_host +
                            layout_.host_bytes(cuda::MostCuts(recipe_)) -
                            layout_.plane_bytes;
  return Check(gpu::CopyDown({planes, layout_.plane_bytes, second_->planes(),
                              layout_.plane_bytes, layout_.plane_bytes, 1},
                             stream),
               "copy a carry from the GPU");
}

// Sends the carry with which the page begins, and its table, if there are any.
Result<void> CudaSession::SendTables(gpu::Stream* stream) {
  std::byte* host = track_->tables_host();
  size_t bytes = layout_.state_row;
  handed_.Write(below_, handed_.pad_above(), host);
  if (second_ && !starts_anew_ && !below_.IsAtStart(recipe_)) {
    for (const gpu::Rows& rows : second_->RowsAbove(below_)) {
      HALFTONED_TRY(Check(gpu::CopyUp(rows, stream),
                          "copy the rows above a page to the GPU"));
    }
  }
  const auto table = cuda::PixelTable(first_recipe_, page_.depth());
  if (!table.empty()) {
    std::memcpy(host + bytes, table.data(), table.size() * sizeof(int32_t));
    bytes += table.size() * sizeof(int32_t);
    has_table_ = true;
  }
  return Check(
      gpu::CopyUp({track_->tables(), bytes, host, bytes, bytes, 1}, stream),
      "copy a page's tables to the GPU");
}

Result<void> CudaSession::MakeFresh(const Slot& slot, const Band& band) {
  HALFTONED_TRY(
      Check(gpu::Fill(slot.fresh_states, cuda::kFreshByte,
                      layout_.fresh_bytes(strips(band)), slot.stream.get()),
            "clear memory of the GPU"));
  return Check(gpu::Record(slot.fresh.get(), slot.stream.get()), "mark a band");
}

// In the order that the head of cuda_session.h states.
Result<void> CudaSession::FollowBandAbove(uint64_t number) {
  gpu::Stream* stream = track_->slot(number).stream.get();
  const auto wait_for = [&](const cuda::Event& event) {
    return Check(gpu::Follow(event.get(), stream), "order bands");
  };
  HALFTONED_TRY(wait_for(track_->slot(number - 1).fresh));
  // With the page's tables: the first band has not been taken.
  if (number > 1 && order_.taken() == 0) {
    HALFTONED_TRY(wait_for(track_->slot(0).fresh));
  }
  // Otherwise, the band waits for nothing, or for work that has ended.
  if (kind_ == KernelKind::kDeciding || number - 1 < order_.taken()) return {};
  const Band& here = band(number);
  const int blocks = std::max(handed_.blocks(here.kernel_rows(), here.head),
                              CudaDevice::Impl::kLeastBlocks);
  if (MayAsk(number) && device_.MayWait(kind_, blocks)) {
    band(number).waiting = blocks;
    return {};
  }
  uint64_t ended = number - 1;
  band(number).waiting = TakeOverLeave(number, blocks, &ended);
  return wait_for(second_ ? track_->slot(ended).made
                          : track_->slot(ended).answered);
}

// Waiting blocks of a page's kernels hold places of which its second pass would
// make better use. The page needs no more of them than keep the wavefront
// going.
bool CudaSession::MayAsk(uint64_t number) const {
  if (!second_) return true;
  int blocks = 0;
  for (uint64_t i = order_.taken(); i < number; ++i) {
    blocks += bands_[i % Track::kSlots].waiting;
  }
  return blocks < kMostAhead;
}

// Takes over the permission of the first band in flight that has it for this
// many blocks; 0 if there is none.
int CudaSession::TakeOverLeave(uint64_t number, int blocks, uint64_t* ended) {
  for (uint64_t i = order_.taken(); i < number; ++i) {
    if (band(i).waiting < blocks) continue;
    *ended = i;
    return std::exchange(band(i).waiting, 0);
  }
  return 0;
}

BandJob CudaSession::JobFor(uint64_t number, const Band& band) {
  const Slot& slot = track_->slot(number);
  const auto states_at = [](std::byte* at) {
    return reinterpret_cast<uint16_t*>(at);
  };
  BandJob job{};
  const auto above = static_cast<size_t>(band.rows_above);
  job.gray = slot.gray + above * layout_.gray_pitch;
  job.gray_pitch = static_cast<uint32_t>(layout_.gray_pitch);
  job.bits = slot.bits + above * layout_.bits_pitch;
  job.bits_pitch = static_cast<uint32_t>(layout_.bits_pitch);
  job.width = page_.width();
  job.rows = band.kernel_rows();
  job.first_row = band.kernel_row();
  job.head = band.head;
  if (handed_on_) {
    job.states_in = handed_on_->at;
    job.pad_in = handed_on_->pad;
  } else if (!starts_anew_) {
    job.states_in = states_at(track_->tables());
    job.pad_in = handed_.pad_above();
  }
  job.states_between = states_at(slot.fresh_states + layout_.answer_bytes());
  job.states_out = states_at(slot.fresh_states);
  if (has_table_) {
    job.tone =
        reinterpret_cast<const int32_t*>(track_->tables() + layout_.state_row);
  }
  job.deep = page_.depth() == Depth::k16;
  job.verdict =
      reinterpret_cast<uint32_t*>(slot.fresh_states + layout_.state_row);
  job.called_off = track_->called_off();
  job.patience_ns = kPatienceNs;
  return job;
}

Result<void> CudaSession::Launch(uint64_t number, const Band& band) {
  cuda::Batch batch{};
  batch.jobs_count = 1;
  batch.jobs[0] = JobFor(number, band);
  batch.strips = strips(band);
  batch.ticket = batch.jobs[0].verdict + 1;
  handed_on_ = {batch.jobs[0].states_out, PadBelow(band)};
  return Check(
      gpu::Launch(batch, first_recipe_, track_->slot(number).stream.get()),
      "start the kernel");
}

}  // namespace halftoned
