// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/run/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "halftone/cpu/local_engines.h"

namespace halftoned {
namespace {

// Returns `rows` rows of one tone, at most `at_once` a Read. It reports the end
// with the last row or, like a pipe, only when read past it.
class FlatSource : public Source {
 public:
  FlatSource(int rows, int at_once, bool knows_the_end)
      : left_(rows), at_once_(at_once), knows_the_end_(knows_the_end) {}

  Result<Filled> Read(GrayRoom room) override {
    const int rows = std::min({left_, at_once_, room.rows});
    std::memset(room.bytes, 100,
                room.bytes_per_row * static_cast<size_t>(rows));
    left_ -= rows;
    return Filled{rows, left_ == 0 && (knows_the_end_ || rows == 0)};
  }

 private:
  int left_;
  const int at_once_;
  const bool knows_the_end_;
};

class CollectingSink : public Sink {
 public:
  Result<void> Write(const BitBand& bits) override {
    EXPECT_EQ(bits.first_row, rows_);
    rows_ += bits.rows;
    for (int i = 0; i < bits.rows; ++i) {
      bytes_.insert(bytes_.end(), bits.row(i),
                    bits.row(i) + bits.bytes_per_row);
    }
    if (fail_at_row_ >= 0 && rows_ > fail_at_row_) return IoError("sink full");
    return {};
  }

  int64_t rows_ = 0;
  int64_t fail_at_row_ = -1;
  std::vector<std::byte> bytes_;
};

std::unique_ptr<Session> Open(int width, int rows_per_band) {
  static Pool pool(1);
  static const EngineList engines = LocalEngines(pool);
  auto session = (*ChooseEngine(engines, "scalar", Recipe::FloydSteinberg()))
                     ->Open({*Page::Make(width, 8),
                             Recipe::FloydSteinberg(),
                             {},
                             rows_per_band});
  return std::move(*session);
}

TEST(Flow, GivesTheSameRowsForAnyBands) {
  Flow flow;
  CollectingSink whole;
  FlatSource at_once(100, 100, true);
  ASSERT_TRUE(flow.Run(at_once, *Open(33, 100), whole).ok());
  ASSERT_EQ(whole.rows_, 100);
  for (int rows_per_band : {1, 3, 64, 100, 1000}) {
    for (int at_a_time : {1, 7, 1000}) {
      for (bool knows_the_end : {false, true}) {
        CollectingSink sink;
        FlatSource source(100, at_a_time, knows_the_end);
        ASSERT_TRUE(flow.Run(source, *Open(33, rows_per_band), sink).ok());
        EXPECT_EQ(sink.rows_, 100);
        EXPECT_EQ(sink.bytes_, whole.bytes_);
      }
    }
  }
}

TEST(Flow, APageMayHaveNoRows) {
  Flow flow;
  CollectingSink sink;
  FlatSource source(0, 1, false);
  EXPECT_TRUE(flow.Run(source, *Open(5, 4), sink).ok());
  EXPECT_EQ(sink.rows_, 0);
}

// Records what a daemon must pass on.
class AnswerSink : public CollectingSink {
 public:
  Result<void> Answer(const Finished& finished) override {
    ++answers_;
    EXPECT_EQ(finished.carry->next_row(),
              finished.bits.first_row + finished.bits.rows);
    return CollectingSink::Answer(finished);
  }

  int answers_ = 0;
};

TEST(Flow, EveryAnswerReachesTheSinkWithItsCarryTheEmptyOneToo) {
  Flow flow;
  AnswerSink sink;
  FlatSource source(10, 5, false);
  ASSERT_TRUE(flow.Run(source, *Open(33, 5), sink).ok());
  EXPECT_EQ(sink.answers_, 3);
  EXPECT_EQ(sink.rows_, 10);
}

// Notes on which threads it is read.
class WatchedSource : public FlatSource {
 public:
  explicit WatchedSource(int rows) : FlatSource(rows, 1, true) {}

  Result<Filled> Read(GrayRoom room) override {
    ++(std::this_thread::get_id() == run_by_ ? here_ : elsewhere_);
    return FlatSource::Read(room);
  }

  int here_ = 0;
  int elsewhere_ = 0;

 private:
  const std::thread::id run_by_ = std::this_thread::get_id();
};

// Answers with white: some bands as they are submitted, the others only when
// they are waited for.
class PromptSession : public Session {
 public:
  explicit PromptSession(std::function<bool(int band)> is_prompt)
      : is_prompt_(std::move(is_prompt)) {}

  Result<GrayRoom> Lend() override {
    if (lent_ - taken_ == 3) return GrayRoom{};
    ++lent_;
    return GrayRoom{gray_, 1, 1};
  }
  Result<void> Submit(int32_t rows, bool) override {
    EXPECT_EQ(rows, 1);
    ++submitted_;
    return {};
  }
  Result<Finished> Take() override {
    return Finished{{&white_, 1, 1, taken_++}, &carry_};
  }
  bool Ready() override { return taken_ < submitted_ && is_prompt_(taken_); }

 private:
  const std::function<bool(int)> is_prompt_;
  const Carry carry_ =
      Carry::AtStart(Recipe::FloydSteinberg(), *Page::Make(1, 8));
  std::byte gray_[1]{};
  const std::byte white_{0x80};
  int lent_ = 0;
  int submitted_ = 0;
  int taken_ = 0;
};

TEST(Flow, ReadsOnItsOwnThreadWhileBandsAreAnsweredAsTheyAreSubmitted) {
  Flow flow;
  WatchedSource source(50);
  CollectingSink sink;
  PromptSession session([](int) { return true; });
  ASSERT_TRUE(flow.Run(source, session, sink).ok());
  EXPECT_EQ(sink.rows_, 50);
  EXPECT_EQ(source.here_, 50);
  EXPECT_EQ(source.elsewhere_, 0);
}

TEST(Flow, ReadsAheadOfBandsThatAreWaitedFor) {
  Flow flow;
  WatchedSource source(50);
  CollectingSink sink;
  PromptSession session([](int band) { return band < 10 || band >= 20; });
  ASSERT_TRUE(flow.Run(source, session, sink).ok());
  EXPECT_EQ(sink.rows_, 50);
  EXPECT_EQ(source.here_ + source.elsewhere_, 50);
  // Bands 11 to 20 at least; how many more depends on which thread is faster.
  EXPECT_GE(source.elsewhere_, 10);
  EXPECT_GE(source.here_, 11);
}

// Lets a sink wait until so many rows have been read.
class AwaitedSource : public FlatSource {
 public:
  explicit AwaitedSource(int rows) : FlatSource(rows, 1, true) {}

  Result<Filled> Read(GrayRoom room) override {
    const auto filled = FlatSource::Read(room);
    const std::lock_guard lock(mutex_);
    ++rows_read_;
    changed_.notify_all();
    return filled;
  }

  bool WaitFor(int rows) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20),
                             [&] { return rows_read_ >= rows; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int rows_read_ = 0;
};

// While an answer is written, every room of a PromptSession is filled again.
class DemandingSink : public CollectingSink {
 public:
  DemandingSink(AwaitedSource& source, int rows)
      : source_(source), page_rows_(rows) {}

  Result<void> Write(const BitBand& bits) override {
    const int answered = static_cast<int>(bits.first_row) + 1;
    if (!source_.WaitFor(std::min(answered + 3, page_rows_))) {
      return IoError("the next rows are not read");
    }
    return CollectingSink::Write(bits);
  }

 private:
  AwaitedSource& source_;
  const int page_rows_;
};

TEST(Flow, ReadsWhatAnAnswerLeavesRoomForWhileThatIsWritten) {
  Flow flow;
  AwaitedSource source(50);
  DemandingSink sink(source, 50);
  PromptSession session([](int) { return false; });
  const Result<void> result = flow.Run(source, session, sink);
  EXPECT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(sink.rows_, 50);
}

// Fails at the n-th Read, or waits there until it is canceled.
class StuckSource : public Source {
 public:
  StuckSource(int good_reads, bool wait)
      : good_reads_(good_reads), wait_(wait) {}

  Result<Filled> Read(GrayRoom room) override {
    if (good_reads_-- > 0) {
      std::memset(room.bytes, 0, room.bytes_per_row);
      return Filled{1, false};
    }
    std::unique_lock lock(mutex_);
    if (wait_) cancelled_.wait(lock, [this] { return is_cancelled_; });
    return IoError("no more input");
  }

  void Cancel() override {
    std::lock_guard lock(mutex_);
    is_cancelled_ = true;
    cancelled_.notify_all();
  }

 private:
  int good_reads_;
  const bool wait_;
  std::mutex mutex_;
  std::condition_variable cancelled_;
  bool is_cancelled_ = false;
};

TEST(Flow, AFailingSourceEndsThePageWithItsError) {
  Flow flow;
  for (int good_reads : {0, 1, 2, 10}) {
    StuckSource source(good_reads, false);
    CollectingSink sink;
    const Result<void> result = flow.Run(source, *Open(9, 1), sink);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message, "no more input");
    EXPECT_LE(sink.rows_, good_reads);
  }
}

TEST(Flow, AFailingSinkCancelsASourceThatWaits) {
  Flow flow;
  StuckSource source(3, true);
  CollectingSink sink;
  sink.fail_at_row_ = 1;
  const Result<void> result = flow.Run(source, *Open(9, 1), sink);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "sink full");
}

class StarvedSource : public FlatSource {
 public:
  explicit StarvedSource(int good_reads)
      : FlatSource(100, 1, true), good_reads_(good_reads) {}

  Result<Filled> Read(GrayRoom room) override {
    if (good_reads_-- == 0) throw std::bad_alloc();
    return FlatSource::Read(room);
  }

 private:
  int good_reads_;
};

TEST(Flow, ASourceWithoutMemoryEndsThePageAndNotTheProgram) {
  Flow flow;
  for (int good_reads : {0, 1, 2, 10}) {
    StarvedSource source(good_reads);
    CollectingSink sink;
    const Result<void> result = flow.Run(source, *Open(9, 1), sink);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message, "out of memory");
  }
}

class StarvedSink : public CollectingSink {
 public:
  Result<void> Write(const BitBand&) override { throw std::bad_alloc(); }
};

TEST(Flow, ASinkWithoutMemoryLetsGoOfASourceThatWaits) {
  Flow flow;
  StuckSource source(3, true);
  StarvedSink sink;
  const Result<void> result = flow.Run(source, *Open(9, 1), sink);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "out of memory");
}

TEST(Flow, GoesOnWithTheNextPageAfterAFailure) {
  Flow flow;
  StuckSource stuck(5, false);
  CollectingSink nothing;
  ASSERT_FALSE(flow.Run(stuck, *Open(9, 1), nothing).ok());
  FlatSource source(50, 4, true);
  CollectingSink sink;
  EXPECT_TRUE(flow.Run(source, *Open(9, 4), sink).ok());
  EXPECT_EQ(sink.rows_, 50);
}

}  // namespace
}  // namespace halftoned
