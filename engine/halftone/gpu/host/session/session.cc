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
//
// Of `best` that is the first pass. The second goes on from there, band after
// band, on a stream of its own; from there, too, come the answers' bits:
//
//   … kernel ─▶ copy states down ─▶ second pass ─▶ copy down
//
// An answer has the rows that its band finishes, and the carry below them asks
// for states of the first pass between two rows of a band. It is cut there, and
// wherever the answer to a short band could ask for them.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halftone/gpu/common/tone.h"
#include "halftone/gpu/host/device_impl.h"
#include "halftone/gpu/host/session/handed_rows.h"
#include "halftone/gpu/host/session/pixel_table.h"
#include "halftone/gpu/host/session/second_pass.h"
#include "halftone/gpu/host/session/session_size.h"
#include "halftone/gpu/spread/row_waves.h"
#include "halftone/run/valid_order.h"

namespace halftoned {
namespace {

using cuda::BandJob;
using cuda::HandedRows;
using cuda::KernelKind;
using cuda::SecondPass;
using cuda::Slot;
using cuda::SlotLayout;
using cuda::Track;
namespace gpu = cuda::gpu;

// No band takes a second; a kernel that has waited so long never gets what it
// waits for.
constexpr uint64_t kPatienceNs = 10'000'000'000;

// Blocks of a page of `best` that may wait. A strip is as long under way as 16
// others take to begin.
constexpr int kMostAhead = 30;

class CudaSession : public Session {
 public:
  CudaSession(CudaDevice::Impl& device, std::unique_ptr<Track> track,
              const ValidOrder& order)
      : device_(device),
        track_(std::move(track)),
        page_(order->page),
        recipe_(order->recipe),
        first_recipe_(cuda::FirstRecipe(order->recipe)),
        layout_(cuda::LayoutFor(order)),
        handed_(first_recipe_, order->page.width()),
        kind_(cuda::KernelFor(order->recipe)),
        starts_anew_(!order->carry),
        memory_(order->memory),
        order_(order.bands(Track::kSlots)),
        below_(order.above()),
        watched_(device.poller(), order->on_ready) {
    if (recipe_.looks_ahead()) {
      second_.emplace(order, track_->window(), track_->window_host());
    }
  }
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
    bool is_last = false;
    // Of its answer.
    int64_t first_done = 0;
    int64_t end_done = 0;
    // Of the kernel: it has all rows but those above, whose bits a carry has;
    // and how it is cut.
    int32_t rows_above = 0;
    int32_t head = 0;
    int waiting = 0;  // blocks that may wait, by the device's leave

    int64_t end_row() const { return first_row + rows; }
    bool has_work() const { return rows > 0 || end_done > first_done; }
    int32_t kernel_rows() const { return rows - rows_above; }
    int64_t kernel_row() const { return first_row + rows_above; }
  };
  // States that a kernel hands on.
  struct States {
    const uint16_t* at;
    int pad;
  };

  Band& band(uint64_t number) { return bands_[number % Track::kSlots]; }
  Result<void> Enqueue(uint64_t number, const Band& band);
  Band PlanBand(int32_t rows, bool last, int64_t first_row);
  int32_t HeadOf(const Band& band) const;
  Result<void> SendTables(gpu::Stream* stream);
  Result<void> FetchBits(const Slot& slot, const Band& band);
  Result<void> FetchStates(const Slot& slot, const Band& band);
  Result<void> RunSecondPass(const Slot& slot, const Band& band);
  Result<void> MakeFresh(const Slot& slot, const Band& band);
  Result<void> FollowBandAbove(uint64_t number);
  bool MayAsk(uint64_t number) const;
  int TakeOverLeave(uint64_t number, int blocks, uint64_t* ended);
  BandJob JobFor(uint64_t number, const Band& band);
  Result<void> Launch(uint64_t number, const Band& band);
  Result<void> CheckVerdict(const std::byte* answer) const;
  Result<void> ReadStates(uint64_t number, const Band& band);
  void KeepStates(const std::byte* answer, const Band& band);
  void ReadCarry(const std::byte* answer, const Band& band);
  int PadBelow(const Band& band) const;
  int strips(const Band& band) const {
    return handed_.strips(band.kernel_rows(), band.head);
  }
  int cuts(const Band& band) const {
    return strips(band) - handed_.strips(band.head);
  }
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
  const Recipe first_recipe_;
  const SlotLayout layout_;
  const HandedRows handed_;
  const KernelKind kind_;
  const bool starts_anew_;
  bool has_table_ = false;  // of pixels, once it is sent
  const std::function<BandMemory()> memory_;

  std::array<Band, Track::kSlots> bands_;
  BandOrder order_;
  std::optional<States> handed_on_;  // by the last kernel
  std::optional<SecondPass> second_;
  // Of `best`: states of the first pass, above rows.
  struct KeptStates {
    std::vector<std::byte> row;
    int pad;
  };
  std::map<int64_t, KeptStates> kept_;
  Carry below_;  // the rows that were answered last
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
  if (idle && second_)
    idle = Check(gpu::Drain(track_->second()), "end a page").ok();
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

// Down to the first row whose states an answer may ask for, this one's or one
// that is still to come: it has a row that can be answered so far above it.
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

// Those of the last row, and of the cuts.
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

// The carry that the page begins with and its table, if there are any.
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

// In the order that the head of this file states.
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
  // Else it waits for nothing, or for what has ended.
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

// The blocks of a page's kernels that wait hold places that its second pass
// would make more of: it needs no more of them than keep the wavefront going.
bool CudaSession::MayAsk(uint64_t number) const {
  if (!second_) return true;
  int blocks = 0;
  for (uint64_t i = order_.taken(); i < number; ++i) {
    blocks += bands_[i % Track::kSlots].waiting;
  }
  return blocks < kMostAhead;
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

// Of the states below its last row.
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

// Those that an answer may ask for: below the cuts and, if another would be
// there, below the last row.
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
                       device.Rent(cuda::SizeFor(valid)));
  return std::unique_ptr<Session>(
      std::make_unique<CudaSession>(device, std::move(track), valid));
}

size_t DeviceBytesOfSession(const PageOrder& order) {
  const auto valid = ValidOrder::Of(order, CudaDevice::kBandBytes);
  return valid.ok() ? cuda::SizeFor(*valid).device_bytes() : 0;
}

}  // namespace halftoned
