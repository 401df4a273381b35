// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/host/session/cuda_session.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace halftoned {
namespace {

using cuda::HandedRows;
using cuda::SecondPass;
using cuda::Slot;
using cuda::SlotLayout;
using cuda::Track;
namespace gpu = cuda::gpu;

}  // namespace

CudaSession::~CudaSession() {
  // Kernels that wait for a band above see this and end; then all streams
  // become idle.
  std::atomic_ref(*track_->called_off()).store(1);
  bool idle = device_.Enter().ok();
  // A stream may have failed to follow its copy.
  if (idle && failed_)
    idle = Check(gpu::Drain(device_.up()), "end a page").ok();
  if (idle && second_)
    idle = Check(gpu::Drain(track_->second()), "end a page").ok();
  for (uint64_t i = 0; i < Track::kSlots && idle; ++i) {
    idle = Check(gpu::Drain(track_->slot(i).stream.get()), "end a page").ok();
  }
  // A failed band also has its permission, although it is taken.
  for (const Band& band : bands_) device_.HasWaited(kind_, band.waiting);
  if (!idle) return;
  std::atomic_ref(*track_->called_off()).store(0);
  device_.GiveBack(std::move(track_));
}

Result<GrayRoom> CudaSession::Lend() {
  if (failed_) return *failed_;
  if (!order_.CanLend()) return GrayRoom{};
  const uint64_t number = order_.lent();
  const Slot& slot = track_->slot(number);
  BandMemory& memory = band(number).memory;
  memory = memory_ ? memory_() : BandMemory{slot.gray_host, slot.bits_host};
  order_.Lend();
  return GrayRoom{memory.gray, layout_.gray_row, order_.rows_per_band()};
}

Result<void> CudaSession::Submit(int32_t rows, bool last) {
  if (failed_) return *failed_;
  const uint64_t number = order_.submitted();
  const int64_t first_row = order_.next_row();
  HALFTONED_TRY(Failing(order_.Submit(rows, last)));
  Band planned = PlanBand(rows, last, first_row);
  planned.memory = band(number).memory;
  planned.waiting = band(number).waiting;
  band(number) = planned;
  if (!planned.has_work()) return {};
  return Failing(Enqueue(number, band(number)));
}

CudaSession::Band CudaSession::PlanBand(int32_t rows, bool last,
                                        int64_t first_row) {
  Band band;
  band.rows = rows;
  band.first_row = band.first_done = first_row;
  band.is_last = last;
  band.end_done = band.end_row();
  band.head = rows;
  if (!second_) return band;
  band.first_done = recipe_.FirstUnanswered(page_.first_row(), first_row);
  if (!last) {
    band.end_done = recipe_.FirstUnanswered(page_.first_row(), band.end_row());
  }
  band.rows_above = static_cast<int32_t>(
      std::clamp<int64_t>(second_->first_pass_row() - first_row, 0, rows));
  band.head = HeadOf(band);
  return band;
}

// The head ends above the first row whose states this answer or a later one may
// need: the row kBestRowsBelow rows above it can be answered.
int32_t CudaSession::HeadOf(const Band& band) const {
  if (band.is_last) return band.kernel_rows();
  int64_t cut = band.end_done / kBestStep * kBestStep + kBestRowsBelow;
  while (cut <= band.kernel_row()) cut += kBestStep;
  return static_cast<int32_t>(
      std::min<int64_t>(cut - band.kernel_row(), band.kernel_rows()));
}

bool CudaSession::Ready() {
  if (failed_ || !order_.in_flight()) return false;
  const uint64_t number = order_.taken();
  if (!band(number).has_work()) return true;
  // Take returns the error of the device.
  return !device_.Enter().ok() ||
         gpu::Query(track_->slot(number).answered.get()).fault !=
             gpu::Fault::kNotReady;
}

// The pad of the states below the band's last row.
int CudaSession::PadBelow(const Band& band) const {
  return cuts(band) == 0 ? handed_.pad_below(band.kernel_rows())
                         : HandedRows::pad_below(strips(band) - 1,
                                                 band.kernel_rows(), band.head);
}

Result<Finished> CudaSession::Take() {
  if (failed_) return *failed_;
  return Failing(TakeBand());
}

Result<Finished> CudaSession::TakeBand() {
  const uint64_t number = order_.taken();
  HALFTONED_TRY(order_.Take());
  HALFTONED_TRY(device_.Enter());
  Band& taken = band(number);
  if (taken.has_work()) {
    HALFTONED_TRY(Check(gpu::Wait(track_->slot(number).answered.get()),
                        "halftone a band"));
    HALFTONED_TRY(ReadStates(number, taken));
  }
  if (second_ && taken.is_last) below_ = Carry::AtStart(recipe_, page_);
  below_.set_next_row(taken.end_done);
  watched_.Forget(number);
  device_.HasWaited(kind_, std::exchange(taken.waiting, 0));
  return Finished{{taken.memory.bits, layout_.bits_row,
                   static_cast<int32_t>(taken.end_done - taken.first_done),
                   taken.first_done},
                  &below_};
}

Result<void> CudaSession::CheckVerdict(const std::byte* answer) const {
  uint32_t verdict;
  std::memcpy(&verdict, answer + layout_.state_row, sizeof(verdict));
  if (verdict == cuda::kVerdictGood) return {};
  return Unavailable("the GPU gave up a band that took too long");
}

Result<void> CudaSession::ReadStates(uint64_t number, const Band& band) {
  const std::byte* answer = track_->slot(number).answer_host;
  if (band.kernel_rows() > 0) HALFTONED_TRY(CheckVerdict(answer));
  if (!second_) {
    handed_.Read(answer, PadBelow(band), below_);
    return {};
  }
  if (band.is_last) return {};
  if (band.kernel_rows() > 0) KeepStates(answer, band);
  if (band.end_done > band.first_done) ReadCarry(answer, band);
  return {};
}

// Keeps the states that an answer may need: below the cuts and, if another cut
// would be there, below the last row.
void CudaSession::KeepStates(const std::byte* answer, const Band& band) {
  const auto keep = [&](int64_t row, const std::byte* states, int pad) {
    kept_.insert_or_assign(
        row, KeptStates{{states, states + layout_.state_row}, pad});
  };
  const int rows = band.kernel_rows();
  const int first = handed_.strips(band.head) - 1;
  for (int i = 0; i < cuts(band); ++i) {
    keep(band.kernel_row() + band.head + i * kBestStep,
         answer + layout_.answer_bytes() +
             SlotLayout::RowBytes(layout_.state_row, i),
         HandedRows::pad_below(first + i, rows, band.head));
  }
  if (band.end_row() % kBestStep == kBestRowsBelow) {
    keep(band.end_row(), answer, PadBelow(band));
  }
}

void CudaSession::ReadCarry(const std::byte* answer, const Band& band) {
  kept_.erase(kept_.begin(), kept_.lower_bound(band.end_done + kBestRowsBelow));
  const KeptStates& states = kept_.at(band.end_done + kBestRowsBelow);
  handed_.Read(states.row.data(), states.pad, below_);
  SecondPass::ReadPlanes(answer + layout_.host_bytes(cuda::MostCuts(recipe_)) -
                             layout_.plane_bytes,
                         below_);
}

Result<std::unique_ptr<Session>> OpenCudaSession(CudaDevice::Impl& device,
                                                 const PageOrder& order) {
  if (order.bands_in_flight >= static_cast<int>(Track::kSlots)) {
    return Unavailable("the CUDA engine cannot hold that many bands");
  }
  HALFTONED_TRY_ASSIGN(const ValidOrder valid,
                       ValidOrder::Of(order, CudaDevice::kBandBytes));
  HALFTONED_TRY(device.Enter());
  HALFTONED_TRY_ASSIGN(std::unique_ptr<Track> track,
                       device.Rent(cuda::SizeFor(valid)));
  return std::unique_ptr<Session>(
      std::make_unique<CudaSession>(device, std::move(track), valid));
}

size_t DeviceBytesOfSession(const PageOrder& order) {
  const auto valid = ValidOrder::Of(order, CudaDevice::kBandBytes);
  return valid.ok() ? cuda::SizeFor(*valid).device_bytes() : 0;
}

}  // namespace halftoned
