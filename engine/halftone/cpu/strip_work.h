// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work on a page's bands, strip by strip, on the threads of a pool.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/result.h"
#include "halftone/cpu/strips.h"
#include "halftone/run/pool.h"
#include "halftone/run/valid_order.h"

namespace halftoned {

// Used by the thread of its session; works on others too.
class StripWork {
 public:
  struct Band {
    BandMemory memory;
    int32_t rows = 0;
    int64_t first_row = 0;
    std::optional<Carry> below;  // its row is set; the work sets its state
    std::atomic<int32_t> rows_left = 0;
  };

  // start: the state above the page. bands: a ring. Both outlive this, and so
  // does `pool`; null: only what needs no thread is done.
  StripWork(const ValidOrder& order, const Carry& start,
            std::vector<Band>& bands, std::unique_ptr<Strips> strips,
            Pool* pool);
  ~StripWork() { is_cancelled_ = true; }
  StripWork(const StripWork&) = delete;
  StripWork& operator=(const StripWork&) = delete;

  // Works on the next band of the ring, which has rows. `last`: the page ends
  // with it.
  Result<void> Begin(bool last);
  // If true, bands whose rows are all done may be wrong.
  bool is_out_of_memory() const { return is_out_of_memory_; }

 private:
  // Some strips of a band, and what they need of the job before.
  struct Job {
    Band* band;
    int32_t first_row;  // of the band
    int32_t rows;
    int32_t next_row;  // where this thread will probably go on
    std::shared_ptr<StripProgress> above;
    std::shared_ptr<StripProgress> own;
    // The state above, if the job before leaves none to continue from; that job
    // must end first.
    const Carry* restart;
  };

  Band& BandOf(uint64_t number) { return bands_[number % bands_.size()]; }
  bool RunPure(Band& band);
  StripJob RowsOf(Band& band, int32_t first, int32_t rows) const;
  void EndRows(Band& band, int32_t rows);
  void Work();
  enum class When { kMeanwhile, kAtTheEnd };
  bool PassOn(When when);
  Job NextJob(std::function<void()> when_ahead);
  int ThreadsFor(const Band& band);
  int32_t RowsOfTask() const;
  void RunJob(const Job& job);
  void Starve();
  void Halftone(const Job& job);

  std::vector<Band>& bands_;
  const std::unique_ptr<Strips> strips_;
  const int threads_;
  const int32_t width_;
  const size_t gray_bytes_per_row_;
  const size_t bit_bytes_per_row_;
  const std::function<void()> on_ready_;

  // At most one task, waiting or running, has the turn to begin the next job,
  // and passes it on. If there are no rows to begin, no task has it.
  std::mutex mutex_;
  uint64_t bands_submitted_ = 0;  // those with rows
  bool is_page_whole_ = false;    // all its bands are submitted
  bool is_turn_taken_ = false;

  // The task that has the turn keeps here where the next job begins, and the
  // job before.
  uint64_t next_band_ = 0;
  int32_t next_row_ = 0;
  std::shared_ptr<StripProgress> above_;
  const Carry* restart_;

  std::atomic<bool> is_cancelled_ = false;
  std::atomic<bool> is_out_of_memory_ = false;
  // Destroyed first: waits for the running tasks.
  std::unique_ptr<Pool::Queue> queue_;
};

}  // namespace halftoned
