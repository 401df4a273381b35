// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page on the GPU. Each band is one chain of asynchronous work, enqueued
// whole by Submit, on its slot's stream but for the copy up, which all sessions
// have on one stream:
//
//   memset fresh ─┬▶ kernel ─▶ copy down
//        copy up ─┘
//
// Kernels of successive bands run at the same time: a band's first strip waits
// inside the kernel for the states of the band above, word by word, as any
// strip does. So a kernel waits only for work that was enqueued before it. The
// order that streams must still keep: a band's hand-off memory is fresh before
// the next band's kernel looks at it. It is not made fresh again, for a band
// one round later, before that kernel has ended, since a band is lent only when
// all but the six before it have been taken.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "halftone/gpu/common/tone.h"
#include "halftone/gpu/host/device_impl.h"
#include "halftone/gpu/host/handed_rows.h"
#include "halftone/gpu/host/pixel_table.h"
#include "halftone/run/valid_order.h"

namespace halftoned {
namespace {

using cuda::BandJob;
using cuda::HandedRows;
using cuda::KernelKind;
using cuda::Slot;
using cuda::SlotLayout;
using cuda::Track;
namespace gpu = cuda::gpu;

// No band takes a second; a kernel that has waited so long never gets what it
// waits for.
constexpr uint64_t kPatienceNs = 10'000'000'000;

SlotLayout LayoutFor(const ValidOrder& order) {
  const size_t gray_row = order.gray_bytes_per_row();
  const size_t bits_row = order.bit_bytes_per_row();
  return {.gray_row = gray_row,
          .gray_pitch = cuda::RoundUp16(gray_row),
          .bits_row = bits_row,
          .bits_pitch = cuda::RoundUp16(bits_row),
          .state_row = HandedRows(order->recipe, order->page.width()).bytes()};
}

Track::Size SizeFor(const ValidOrder& order) {
  const SlotLayout layout = LayoutFor(order);
  const int32_t rows = order.rows_per_band();
  const int strips =
      HandedRows(order->recipe, order->page.width()).strips(rows);
  const bool has_memory = order->memory != nullptr;
  const auto of = [rows](size_t row) {
    return SlotLayout::RowBytes(row, rows);
  };
  return {.gray = of(layout.gray_pitch),
          .bits = of(layout.bits_pitch),
          .fresh_states = layout.fresh_bytes(strips),
          .gray_host = has_memory ? 0 : of(layout.gray_row),
          .bits_host = has_memory ? 0 : of(layout.bits_row),
          .answer_host = layout.answer_bytes(),
          .tables = layout.state_row + cuda::kTermsOf16 * sizeof(int32_t)};
}

class CudaSession : public Session {
 public:
  CudaSession(CudaDevice::Impl& device, std::unique_ptr<Track> track,
              const ValidOrder& order)
      : device_(device),
        track_(std::move(track)),
        page_(order->page),
        recipe_(order->recipe),
        layout_(LayoutFor(order)),
        handed_(order->recipe, order->page.width()),
        kind_(cuda::KernelFor(order->recipe)),
        starts_anew_(!order->carry),
        memory_(order->memory),
        order_(order.bands(Track::kSlots)),
        below_(order.above()),
        watched_(device.poller(), order->on_ready) {}
  ~CudaSession() override;

  Result<GrayRoom> Lend() override;
  Result<void> Submit(int32_t rows, bool last) override;
  Result<Finished> Take() override;
  bool Ready() override;

 private:
  struct Band {
    BandMemory memory;
    int32_t rows = 0;
    int64_t first_row = 0;
    int waiting = 0;  // blocks that may wait, by the device's leave
  };

  Band& band(uint64_t number) { return bands_[number % Track::kSlots]; }
  Result<void> Enqueue(uint64_t number, const Band& band);
  Result<void> SendTables(gpu::Stream* stream);
  Result<void> FetchAnswer(const Slot& slot, const Band& band);
  Result<void> MakeFresh(const Slot& slot, int32_t rows);
  Result<void> FollowBandAbove(uint64_t number);
  int TakeOverLeave(uint64_t number, int blocks, uint64_t* ended);
  BandJob JobFor(uint64_t number, const Band& band);
  Result<void> Launch(uint64_t number, const Band& band);
  Result<void> ReadStates(uint64_t number, const Band& band);
  Result<void> Check(const gpu::Outcome& outcome, const char* what) {
    return device_.health().Check(outcome, what);
  }
  // Keeps the session in its error.
  template <typename T>
  T Failing(T result) {
    if (!result.ok()) failed_ = result.error();
    return result;
  }
  Result<Finished> TakeBand();

  CudaDevice::Impl& device_;
  std::unique_ptr<Track> track_;
  const Page page_;
  const Recipe recipe_;
  const SlotLayout layout_;
  const HandedRows handed_;
  const KernelKind kind_;
  const bool starts_anew_;
  bool has_table_ = false;  // of pixels, once it is sent
  const std::function<BandMemory()> memory_;

  std::array<Band, Track::kSlots> bands_;
  BandOrder order_;
  Carry below_;  // the band that was taken last
  std::optional<Error> failed_;
  cuda::EventPoller::Bands watched_;
};

CudaSession::~CudaSession() {
  // Kernels that wait for a band above see this and end; then all streams run
  // dry.
  std::atomic_ref(*track_->called_off()).store(1);
  bool idle = device_.Enter().ok();
  // A stream may have failed to follow its copy.
  if (idle && failed_)
    idle = Check(gpu::Drain(device_.up()), "end a page").ok();
  for (uint64_t i = 0; i < Track::kSlots && idle; ++i) {
    idle = Check(gpu::Drain(track_->slot(i).stream.get()), "end a page").ok();
  }
  // Of a band that failed, too, though it is taken.
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
  band(number).rows = rows;
  band(number).first_row = first_row;
  if (rows == 0) return {};
  return Failing(Enqueue(number, band(number)));
}

bool CudaSession::Ready() {
  if (failed_ || !order_.in_flight()) return false;
  const uint64_t number = order_.taken();
  if (band(number).rows == 0) return true;
  // Take returns the error of the device.
  return !device_.Enter().ok() ||
         gpu::Query(track_->slot(number).answered.get()).fault !=
             gpu::Fault::kNotReady;
}

Result<void> CudaSession::Enqueue(uint64_t number, const Band& band) {
  HALFTONED_TRY(device_.Enter());
  const Slot& slot = track_->slot(number);
  gpu::Stream* stream = slot.stream.get();
  HALFTONED_TRY(Check(
      gpu::CopyUp(
          {slot.gray, layout_.gray_pitch, band.memory.gray, layout_.gray_row,
           layout_.gray_row, static_cast<size_t>(band.rows)},
          device_.up()),
      "copy a band to the GPU"));
  HALFTONED_TRY(
      Check(gpu::Record(slot.copied.get(), device_.up()), "mark a band"));
  if (number == 0) HALFTONED_TRY(SendTables(stream));
  HALFTONED_TRY(MakeFresh(slot, band.rows));
  HALFTONED_TRY(Check(gpu::Follow(slot.copied.get(), stream), "order bands"));
  if (number > 0) HALFTONED_TRY(FollowBandAbove(number));
  HALFTONED_TRY(Launch(number, band));
  HALFTONED_TRY(FetchAnswer(slot, band));
  HALFTONED_TRY(Check(gpu::Record(slot.answered.get(), stream), "mark a band"));
  watched_.Add(number, slot.answered.get());
  return {};
}

Result<void> CudaSession::FetchAnswer(const Slot& slot, const Band& band) {
  HALFTONED_TRY(Check(
      gpu::CopyDown(
          {band.memory.bits, layout_.bits_row, slot.bits, layout_.bits_pitch,
           layout_.bits_row, static_cast<size_t>(band.rows)},
          slot.stream.get()),
      "copy bits from the GPU"));
  const size_t bytes = layout_.answer_bytes();
  return Check(gpu::CopyDown({slot.answer_host, bytes, slot.fresh_states, bytes,
                              bytes, 1},
                             slot.stream.get()),
               "copy a carry from the GPU");
}

// The carry that the page begins with and its table, if there are any.
Result<void> CudaSession::SendTables(gpu::Stream* stream) {
  std::byte* host = track_->tables_host();
  size_t bytes = layout_.state_row;
  handed_.Write(below_, handed_.pad_above(), host);
  const auto table = cuda::PixelTable(recipe_, page_.depth());
  if (!table.empty()) {
    std::memcpy(host + bytes, table.data(), table.size() * sizeof(int32_t));
    bytes += table.size() * sizeof(int32_t);
    has_table_ = true;
  }
  return Check(
      gpu::CopyUp({track_->tables(), bytes, host, bytes, bytes, 1}, stream),
      "copy a page's tables to the GPU");
}

Result<void> CudaSession::MakeFresh(const Slot& slot, int32_t rows) {
  HALFTONED_TRY(Check(
      gpu::Fill(slot.fresh_states, cuda::kFreshByte,
                layout_.fresh_bytes(handed_.strips(rows)), slot.stream.get()),
      "clear memory of the GPU"));
  return Check(gpu::Record(slot.fresh.get(), slot.stream.get()), "mark a band");
}

// In the order that the head of this file states.
Result<void> CudaSession::FollowBandAbove(uint64_t number) {
  gpu::Stream* stream = track_->slot(number).stream.get();
  const auto wait_for = [&](const cuda::Event& event) {
    return Check(gpu::Follow(event.get(), stream), "order bands");
  };
  HALFTONED_TRY(wait_for(track_->slot(number - 1).fresh));
  // Else it waits for nothing, or for what has ended.
  if (kind_ == KernelKind::kDeciding || number - 1 < order_.taken()) return {};
  const int blocks = std::max(handed_.blocks(band(number).rows),
                              CudaDevice::Impl::kLeastBlocks);
  if (device_.MayWait(kind_, blocks)) {
    band(number).waiting = blocks;
    return {};
  }
  uint64_t ended = number - 1;
  band(number).waiting = TakeOverLeave(number, blocks, &ended);
  return wait_for(track_->slot(ended).answered);
}

// Of the first band of those in flight that has leave for so many blocks; 0
// if there is none.
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
  job.gray = slot.gray;
  job.gray_pitch = static_cast<uint32_t>(layout_.gray_pitch);
  job.bits = slot.bits;
  job.bits_pitch = static_cast<uint32_t>(layout_.bits_pitch);
  job.width = page_.width();
  job.rows = band.rows;
  if (number > 0) {
    job.states_in = states_at(track_->slot(number - 1).fresh_states);
    job.pad_in = handed_.pad_below(this->band(number - 1).rows);
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
  batch.strips = handed_.strips(band.rows);
  batch.ticket = batch.jobs[0].verdict + 1;
  return Check(gpu::Launch(batch, recipe_, track_->slot(number).stream.get()),
               "start the kernel");
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
  if (taken.rows > 0) {
    HALFTONED_TRY(Check(gpu::Wait(track_->slot(number).answered.get()),
                        "halftone a band"));
    HALFTONED_TRY(ReadStates(number, taken));
  }
  watched_.Forget(number);
  device_.HasWaited(kind_, std::exchange(taken.waiting, 0));
  return Finished{
      {taken.memory.bits, layout_.bits_row, taken.rows, taken.first_row},
      &below_};
}

Result<void> CudaSession::ReadStates(uint64_t number, const Band& band) {
  const std::byte* answer = track_->slot(number).answer_host;
  uint32_t verdict;
  std::memcpy(&verdict, answer + layout_.state_row, sizeof(verdict));
  if (verdict != cuda::kVerdictGood) {
    return Unavailable("the GPU gave up a band that took too long");
  }
  handed_.Read(answer, handed_.pad_below(band.rows), below_);
  below_.set_next_row(band.first_row + band.rows);
  return {};
}

}  // namespace

Result<std::unique_ptr<Session>> OpenCudaSession(CudaDevice::Impl& device,
                                                 const PageOrder& order) {
  if (order.bands_in_flight >= static_cast<int>(Track::kSlots)) {
    return Unavailable("the CUDA engine does not keep so many bands");
  }
  HALFTONED_TRY_ASSIGN(const ValidOrder valid,
                       ValidOrder::Of(order, CudaDevice::kBandBytes));
  HALFTONED_TRY(device.Enter());
  HALFTONED_TRY_ASSIGN(std::unique_ptr<Track> track,
                       device.Rent(SizeFor(valid)));
  return std::unique_ptr<Session>(
      std::make_unique<CudaSession>(device, std::move(track), valid));
}

size_t DeviceBytesOfSession(const PageOrder& order) {
  const auto valid = ValidOrder::Of(order, CudaDevice::kBandBytes);
  return valid.ok() ? SizeFor(*valid).device_bytes() : 0;
}

}  // namespace halftoned
