// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How sessions of this process share their work among threads.

#include "halftone/cpu/local_session.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <latch>
#include <mutex>
#include <utility>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "halftone/run/session.h"

namespace halftoned {
namespace {

// Records the jobs it gets; a strip has 64 rows.
class RecordingStrips : public Strips {
 public:
  struct Log {
    std::mutex mutex;
    std::vector<int32_t> rows;  // of each job
  };
  RecordingStrips(Log& log, std::function<void(const StripJob&)> run)
      : log_(log), run_(std::move(run)) {}

  int32_t rows_per_strip() const override { return 64; }
  bool can_overlap() const override { return true; }
  void Restart(const Carry&) override {}
  void Run(const StripJob& job) override {
    {
      std::lock_guard lock(log_.mutex);
      log_.rows.push_back(job.gray.rows);
    }
    if (run_) run_(job);
  }

 private:
  Log& log_;
  const std::function<void(const StripJob&)> run_;
};

// The jobs of a page of one band.
std::vector<int32_t> JobsOfPage(
    Pool& pool, int32_t width, int32_t rows,
    const std::function<void(const StripJob&)>& run = {}) {
  RecordingStrips::Log log;
  const auto make = [&](const Page&, const Recipe&) {
    return std::make_unique<RecordingStrips>(log, run);
  };
  const auto session = std::move(*OpenLocalSession(
      {*Page::Make(width, 8), Recipe::FloydSteinberg(), {}, rows}, make,
      &pool));
  EXPECT_TRUE(session->Lend().ok());
  EXPECT_TRUE(session->Submit(rows, true).ok());
  EXPECT_TRUE(session->Take().ok());
  return log.rows;
}

TEST(LocalSession, ThreadsShareLargePagesStripByStripAndLeaveSmallOnesToOne) {
  Pool pool(4);
  EXPECT_EQ(JobsOfPage(pool, 4096, 256),
            (std::vector<int32_t>{64, 64, 64, 64}));
  EXPECT_EQ(JobsOfPage(pool, 2048, 128), std::vector<int32_t>{128});
  EXPECT_EQ(JobsOfPage(pool, 1000, 1024), std::vector<int32_t>{1024});
  Pool alone(1);
  EXPECT_EQ(JobsOfPage(alone, 4096, 256), std::vector<int32_t>{256});
}

TEST(LocalSession, ATallBandIsCutIntoTasksSoThatOthersHaveTheirTurn) {
  constexpr int64_t kMostPixels = int64_t{1} << 21;
  constexpr int32_t kRows = 10'000;
  Pool pool(1);
  for (const int32_t width : {60, 1000, 4096}) {
    Pool::Queue other(pool);
    std::atomic<int> jobs = 0;
    std::atomic<int> jobs_before_other = 0;
    const auto rows = JobsOfPage(pool, width, kRows, [&](const StripJob&) {
      if (++jobs == 1) other.Push([&] { jobs_before_other = jobs.load(); });
    });
    int32_t sum = 0;
    for (const int32_t each : rows) {
      sum += each;
      EXPECT_LE(each * int64_t{width}, kMostPixels);
      EXPECT_TRUE(each % 64 == 0 || sum == kRows) << each;
    }
    EXPECT_EQ(sum, kRows);
    EXPECT_EQ(rows.size() > 1, kRows * int64_t{width} > kMostPixels);
    if (rows.size() > 1) {
      EXPECT_EQ(jobs_before_other, 1);
    }
  }
}

TEST(LocalSession, APageIsNotSharedIfOthersNeedTheThreads) {
  Pool pool(2);
  std::latch is_done(1);
  Pool::Queue other(pool);
  other.Push([&] { is_done.wait(); });
  EXPECT_EQ(JobsOfPage(pool, 4096, 256), std::vector<int32_t>{256});
  is_done.count_down();
}

TEST(LocalSession, AStripBeginsAsSoonAsTheOneAboveIsAhead) {
  Pool pool(2);
  std::latch both_begun(2);
  const auto run = [&](const StripJob& job) {
    both_begun.count_down();
    if (job.own) job.own->Publish(4096 / 3);
    // The first strip ends only after the second one has begun.
    both_begun.wait();
  };
  EXPECT_EQ(JobsOfPage(pool, 4096, 128, run), (std::vector<int32_t>{64, 64}));
}

class ClosedGate : public Pool::Gate {
 public:
  bool TryEnter(int) override { return false; }
  void Leave(int) override {}
};

TEST(LocalSession, RowsWithoutAGrayPixelNeedNoThread) {
  Pool pool(2, nullptr, std::make_unique<ClosedGate>());
  const EngineList engines = LocalEngines(pool);
  Recipe::Parts parts = Recipe::PartsOf(Algorithm::kFine);
  parts.parameters[Recipe::kPure] = 1;
  const Recipe recipe = *Recipe::Make(parts);
  const auto session =
      std::move(*(*ChooseEngine(engines, "auto", recipe))
                     ->Open({*Page::Make(20, 8), recipe, {}, 100}));
  for (int band = 0; band < 10; ++band) {
    const auto room = session->Lend();
    std::memset(room->bytes, band % 2 ? 0xff : 0, 99 * room->bytes_per_row);
    ASSERT_TRUE(session->Submit(99, false).ok());
    ASSERT_TRUE(session->Ready());
    const auto finished = session->Take();
    EXPECT_EQ(finished->bits.rows, 99);
    EXPECT_EQ(std::to_integer<int>(finished->bits.row(98)[1]),
              band % 2 ? 0xff : 0);
    EXPECT_EQ(finished->carry->next_row(), 99 * (band + 1));
  }
  const auto room = session->Lend();
  std::memset(room->bytes, 0xff, 100 * room->bytes_per_row);
  room->row(99)[19] = std::byte{128};
  ASSERT_TRUE(session->Submit(100, false).ok());
  EXPECT_FALSE(session->Ready());
}

TEST(LocalSession, WithoutAPoolAPageIsLetGoAtItsFirstGrayPixel) {
  const auto engine = PureRowsEngine();
  if (!engine) GTEST_SKIP() << "no vectors here";
  EXPECT_FALSE(engine->Serves(Recipe::FloydSteinberg()).ok());
  Recipe::Parts parts = Recipe::PartsOf(Algorithm::kFine);
  parts.parameters[Recipe::kPure] = 1;
  const auto session = std::move(
      *engine->Open({*Page::Make(20, 8), *Recipe::Make(parts), {}, 100}));
  std::memset(session->Lend()->bytes, 0xff, 20 * 100);
  ASSERT_TRUE(session->Submit(100, false).ok());
  ASSERT_TRUE(session->Ready());
  EXPECT_EQ(session->Take()->carry->next_row(), 100);
  const auto room = session->Lend();
  std::memset(room->bytes, 0xff, 20 * 100);
  room->row(99)[19] = std::byte{128};
  EXPECT_EQ(session->Submit(100, false).error().code, ErrorCode::kUnavailable);
}

TEST(LocalSession, WithoutAPoolPureBandsMayBeOfAnySize) {
  constexpr int32_t kWidth = 100'000;
  constexpr int32_t kRows = 300;
  const auto engine = PureRowsEngine();
  if (!engine) GTEST_SKIP() << "no vectors here";
  Recipe::Parts parts = Recipe::PartsOf(Algorithm::kFine);
  parts.parameters[Recipe::kPure] = 1;
  const auto session = std::move(
      *engine->Open({*Page::Make(kWidth, 8), *Recipe::Make(parts), {}, kRows}));
  std::memset(session->Lend()->bytes, 0xff, size_t{kWidth} * kRows);
  EXPECT_TRUE(session->Submit(kRows, false).ok());
}

}  // namespace
}  // namespace halftoned
