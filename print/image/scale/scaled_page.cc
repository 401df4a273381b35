// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/scale/scaled_page.h"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "print/image/scale/axis_filter.h"
#include "print/image/scale/column_strip.h"
#include "print/image/scale/light_table.h"

namespace halftoned {
namespace {

// A piece of work that is done once for each of many numbers, by the thread
// that wants it and by threads of a pool that have nothing else to do.
// Used by one thread at a time.
class SharedWork {
 public:
  // `pool` outlives this.
  explicit SharedWork(Pool& pool) : queue_(pool) {}

  // Calls work(0) … work(count - 1), in any order and several at a time, and
  // returns when all are done. `work` does not throw.
  void Run(size_t count, const std::function<void(size_t)>& work);

 private:
  void CallHelpers(size_t most);
  void Help(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable done_;
  const std::function<void(size_t)>* work_ = nullptr;
  size_t next_ = 0;
  size_t count_ = 0;
  size_t working_ = 0;  // threads
  size_t helpers_ = 0;  // tasks that have not ended
  // Destroyed first: waits for the running tasks.
  Pool::Queue queue_;
};

void SharedWork::Run(size_t count, const std::function<void(size_t)>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  next_ = 0;
  count_ = count;
  if (count > 1) CallHelpers(count - 1);
  Help(lock);
  done_.wait(lock, [this] { return working_ == 0; });
}

// A helper that starts late finds nothing to do, or numbers of later work.
void SharedWork::CallHelpers(size_t most) {
  const auto spare = static_cast<size_t>(std::max(queue_.SpareThreads(), 0));
  const auto help = [this] {
    std::unique_lock lock(mutex_);
    Help(lock);
    --helpers_;
  };
  try {
    while (helpers_ < std::min(most, spare) && queue_.TryPush(help)) {
      ++helpers_;
    }
  } catch (const std::bad_alloc&) {
    // The helpers that have been called suffice.
  }
}

void SharedWork::Help(std::unique_lock<std::mutex>& lock) {
  ++working_;
  while (next_ < count_) {
    const size_t number = next_++;
    const std::function<void(size_t)>& work = *work_;
    lock.unlock();
    work(number);
    lock.lock();
  }
  if (--working_ == 0) done_.notify_one();
}

// Columns, old or new, of a strip: eight rows of it fit into a processor's
// cache.
constexpr int64_t kStripColumns = 1024;

// Pixels that are read at a time: worth waking other threads.
constexpr int64_t kBatchPixels = int64_t{1} << 18;
constexpr int64_t kMostBatchRows = 256;
constexpr int32_t kMostRowsAtOnce = 64;  // made at a time

// For the rows of light under the filter, and those that are read at a time.
constexpr int64_t kMostRingBytes = int64_t{1} << 29;

int64_t BatchRows(int64_t width) {
  const int64_t rows =
      std::clamp(kBatchPixels / width, int64_t{1}, kMostBatchRows);
  return (rows + ColumnStrip::kLanes - 1) / ColumnStrip::kLanes *
         ColumnStrip::kLanes;
}

class ScaledPage : public PageReader {
 public:
  ScaledPage(std::unique_ptr<PageReader> page, PageInfo info, Pool& pool)
      : PageReader(std::move(info)),
        page_(std::move(page)),
        old_(page_->info()),
        across_(old_.page.width(), this->info().page.width()),
        down_(old_.rows, this->info().rows),
        table_(old_.page.depth()),
        batch_rows_(BatchRows(old_.page.width())),
        batch_(size_t(batch_rows_) * old_.bytes_per_row()),
        work_(pool) {
    const int64_t columns = std::clamp<int64_t>(
        kStripColumns * across_.new_size() / across_.old_size(), 16,
        kStripColumns);
    const int64_t ring_rows = down_.most_taps() + batch_rows_;
    const size_t channels = old_.pixels == Pixels::kRgb ? 3 : 1;
    for (int64_t at = 0; at < across_.new_size(); at += columns) {
      for (size_t channel = 0; channel < channels; ++channel) {
        strips_.emplace_back(
            across_, at, std::min(columns, across_.new_size() - at), ring_rows,
            table_, ColumnStrip::Channel{channel, channels});
      }
    }
  }

  void Cancel() override { page_->Cancel(); }

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    const bool is_deep = old_.page.depth() == Depth::k16;
    for (int32_t filled = 0; filled < room.rows;) {
      const int32_t rows = FindRows(room.rows - filled);
      if (rows == 0) {
        HALFTONED_TRY(ReadBatch());
        continue;
      }
      const GrayRoom rest{room.row(filled), room.bytes_per_row, rows};
      is_deep ? MakeRows<uint16_t>(rest) : MakeRows<uint8_t>(rest);
      filled += rows;
    }
    return {};
  }

 private:
  int32_t FindRows(int32_t most);
  Result<void> ReadBatch();
  template <typename Sample>
  void AddBatch(const GrayBand& band);
  template <typename Sample>
  void MakeRows(const GrayRoom& room);

  std::unique_ptr<PageReader> page_;
  const PageInfo& old_;
  const AxisFilter across_;
  const AxisFilter down_;
  const LightTable table_;
  const int64_t batch_rows_;
  std::vector<std::byte> batch_;
  std::vector<ColumnStrip> strips_;
  int64_t rows_read_ = 0;  // of the old page
  int64_t rows_made_ = 0;
  std::vector<Taps> taps_{kMostRowsAtOnce};  // of the rows to be made next
  // Destroyed first: waits for helpers.
  SharedWork work_;
};

// Finds the taps of up to `most` next rows whose old rows are all in the ring;
// returns how many there are.
int32_t ScaledPage::FindRows(int32_t most) {
  int32_t rows = 0;
  for (; rows < std::min<int32_t>(most, kMostRowsAtOnce); ++rows) {
    Taps& taps = taps_[size_t(rows)];
    down_.Find(rows_made_ + rows, taps);
    if (taps.first + int64_t(taps.weights.size()) > rows_read_) break;
  }
  return rows;
}

Result<void> ScaledPage::ReadBatch() {
  const size_t pitch = old_.bytes_per_row();
  int32_t rows = 0;
  const auto wanted =
      static_cast<int32_t>(std::min(batch_rows_, old_.rows - rows_read_));
  while (rows < wanted) {
    HALFTONED_TRY_ASSIGN(const Filled filled,
                         page_->Read({batch_.data() + size_t(rows) * pitch,
                                      pitch, wanted - rows}));
    rows += filled.rows;
  }
  const GrayBand band{batch_.data(), pitch, rows};
  const bool is_deep = old_.page.depth() == Depth::k16;
  is_deep ? AddBatch<uint16_t>(band) : AddBatch<uint8_t>(band);
  rows_read_ += rows;
  return {};
}

template <typename Sample>
void ScaledPage::AddBatch(const GrayBand& band) {
  work_.Run(strips_.size(),
            [&](size_t i) { strips_[i].Add<Sample>(band, rows_read_); });
}

template <typename Sample>
void ScaledPage::MakeRows(const GrayRoom& room) {
  work_.Run(strips_.size(), [&](size_t i) {
    for (int32_t row = 0; row < room.rows; ++row) {
      strips_[i].Make(taps_[size_t(row)],
                      reinterpret_cast<Sample*>(room.row(row)));
    }
  });
  rows_made_ += room.rows;
}

int64_t RingBytes(const PageInfo& old, int64_t width, int64_t rows) {
  const AxisFilter down(old.rows, rows);
  const int64_t ring_rows = down.most_taps() + BatchRows(old.page.width());
  const int64_t samples = width * (old.pixels == Pixels::kRgb ? 3 : 1);
  return ring_rows * samples * int64_t{sizeof(float)};
}

// Checks sizes before any memory is allocated.
Result<void> CheckReduction(const PageInfo& old, const PageInfo& made) {
  const AxisFilter across(old.page.width(), made.page.width());
  const AxisFilter down(old.rows, made.rows);
  for (const AxisFilter& axis : {across, down}) {
    if (axis.old_size() / axis.new_size() >= AxisFilter::kMostReduction) {
      return BadInput("would become more than " +
                      std::to_string(AxisFilter::kMostReduction) +
                      " times smaller");
    }
  }
  if (RingBytes(old, made.page.width(), made.rows) > kMostRingBytes) {
    return BadInput(
        "would shrink so much more in height than in width that scaling needs "
        "too much memory");
  }
  return {};
}

}  // namespace

int64_t BytesToScale(const PageInfo& page, int64_t width, int64_t rows) {
  if (width == page.page.width() && rows == page.rows) return 0;
  // Weights, and rows that are scaled sideways together.
  constexpr int64_t kColumnBytes = 128;
  const int64_t columns =
      (page.page.width() + width) * (page.pixels == Pixels::kRgb ? 3 : 1);
  return RingBytes(page, width, rows) + columns * kColumnBytes +
         BatchRows(page.page.width()) * int64_t(page.bytes_per_row());
}

Result<std::unique_ptr<PageReader>> Scale(std::unique_ptr<PageReader> page,
                                          int64_t width, int64_t rows,
                                          Pool& pool) {
  PageInfo info = page->info();
  if (width == info.page.width() && rows == info.rows) return page;
  HALFTONED_TRY_ASSIGN(info.page,
                       Page::Make(width, static_cast<int>(info.page.depth())));
  info.rows = rows;
  HALFTONED_TRY(CheckReduction(page->info(), info));
  return std::unique_ptr<PageReader>(
      std::make_unique<ScaledPage>(std::move(page), std::move(info), pool));
}

}  // namespace halftoned
