// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page on the GPU. Each band is one chain of asynchronous work. Submit
// enqueues all of it on the slot's stream, except the copy up, for which all
// sessions share one stream:
//
//   memset fresh ─┬▶ kernel ─▶ copy down
//        copy up ─┘
//
// Kernels of successive bands run at the same time: a band's first strip waits
// inside the kernel for the states of the band above, word by word, as every
// strip does. A kernel therefore waits only for work that was enqueued before
// it. Streams must still keep one order: a band's hand-off memory is fresh
// before the next band's kernel reads it. A band one round later makes that
// memory fresh again, but never before this kernel has ended: a band is lent
// only when all but the six before it have been taken.
//
// With `best`, this chain is the first pass. The second pass follows, band
// after band, on a separate stream, and makes the bits of the answers:
//
//   … kernel ─▶ copy states down ─▶ second pass ─▶ copy down
//
// An answer has the rows that its band finishes. The carry below these rows
// contains states of the first pass between two rows of a band, so the band is
// cut there, and wherever the answer to a short band could need such states.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "halftone/gpu/host/device_impl.h"
#include "halftone/gpu/host/session/handed_rows.h"
#include "halftone/gpu/host/session/second_pass.h"
#include "halftone/gpu/host/session/session_size.h"
#include "halftone/run/valid_order.h"

namespace halftoned {

class CudaSession : public Session {
 public:
  CudaSession(CudaDevice::Impl& device, std::unique_ptr<cuda::Track> track,
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
        order_(order.bands(cuda::Track::kSlots)),
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
    // The rows of the answer.
    int64_t first_done = 0;
    int64_t end_done = 0;
    // The kernel makes all rows except those above, whose bits are in the
    // carry; `head` says how the band is cut.
    int32_t rows_above = 0;
    int32_t head = 0;
    int waiting = 0;  // blocks that may wait, with the device's permission

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

  Band& band(uint64_t number) { return bands_[number % cuda::Track::kSlots]; }
  Result<void> Enqueue(uint64_t number, const Band& band);
  Band PlanBand(int32_t rows, bool last, int64_t first_row);
  int32_t HeadOf(const Band& band) const;
  Result<void> SendTables(cuda::gpu::Stream* stream);
  Result<void> FetchBits(const cuda::Slot& slot, const Band& band);
  Result<void> FetchStates(const cuda::Slot& slot, const Band& band);
  Result<void> RunSecondPass(const cuda::Slot& slot, const Band& band);
  Result<void> MakeFresh(const cuda::Slot& slot, const Band& band);
  Result<void> FollowBandAbove(uint64_t number);
  bool MayAsk(uint64_t number) const;
  int TakeOverLeave(uint64_t number, int blocks, uint64_t* ended);
  cuda::BandJob JobFor(uint64_t number, const Band& band);
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
  Result<void> Check(const cuda::gpu::Outcome& outcome, const char* what) {
    return device_.health().Check(outcome, what);
  }
  // Makes an error permanent for the session.
  template <typename T>
  T Failing(T result) {
    if (!result.ok()) failed_ = result.error();
    return result;
  }
  Result<Finished> TakeBand();

  CudaDevice::Impl& device_;
  std::unique_ptr<cuda::Track> track_;
  const Page page_;
  const Recipe recipe_;
  const Recipe first_recipe_;
  const cuda::SlotLayout layout_;
  const cuda::HandedRows handed_;
  const cuda::KernelKind kind_;
  const bool starts_anew_;
  bool has_table_ = false;  // of pixels, once it is sent
  const std::function<BandMemory()> memory_;

  std::array<Band, cuda::Track::kSlots> bands_;
  BandOrder order_;
  std::optional<States> handed_on_;  // by the last kernel
  std::optional<cuda::SecondPass> second_;
  // States of the first pass of `best`, above rows.
  struct KeptStates {
    std::vector<std::byte> row;
    int pad;
  };
  std::map<int64_t, KeptStates> kept_;
  Carry below_;  // the rows that were answered last
  std::optional<Error> failed_;
  cuda::EventPoller::Bands watched_;
};

}  // namespace halftoned
