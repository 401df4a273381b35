// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions whose answers lag behind. The equality suite checks the bits.

#include "halftone/cpu/two_pass_session.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "tests/equality/difference.h"
#include "tests/equality/oracle.h"
#include "tests/equality/pages.h"
#include "tests/equality/run_engine.h"

namespace halftoned::testing {
namespace {

class TwoPassSessionTest : public ::testing::Test {
 protected:
  std::unique_ptr<Session> Open(int32_t rows_per_band, int64_t first_row = 0) {
    const Engine& engine = **ChooseEngine(engines_, "auto", best_);
    return std::move(*engine.Open(
        {*Page::Make(50, 8, first_row), best_, {}, rows_per_band}));
  }

  const Recipe best_ = *Recipe::Make(Recipe::PartsOf(Algorithm::kBest));
  Pool pool_{2};
  const EngineList engines_ = LocalEngines(pool_);
};

TEST_F(TwoPassSessionTest, AnswersFollowFromTheRowsSubmitted) {
  for (const int64_t first_row : {0, 7, 32}) {
    const auto session = Open(11, first_row);
    int64_t in = first_row;
    int64_t out = first_row;
    for (int band = 0; band < 30; ++band) {
      const bool last = band == 29;
      const auto room = session->Lend();
      ASSERT_TRUE(room.ok());
      ASSERT_EQ(room->rows, 11);
      std::memset(room->bytes, 99, 11 * room->bytes_per_row);
      ASSERT_TRUE(session->Submit(11, last).ok());
      in += 11;
      const auto answer = session->Take();
      ASSERT_TRUE(answer.ok());
      EXPECT_EQ(answer->bits.first_row, out);
      out += answer->bits.rows;
      EXPECT_EQ(out, last ? in : best_.FirstUnanswered(first_row, in));
      EXPECT_EQ(answer->carry->next_row(), out);
      EXPECT_TRUE(
          answer->carry->CheckFor(best_, Page::Make(50, 8)->StartingAt(out))
              .ok());
    }
  }
}

TEST_F(TwoPassSessionTest, KeepsTheGrayOfRowsWithoutAnAnswer) {
  struct Row {
    const std::byte* gray;
    int64_t number;
  };
  std::deque<Row> kept;
  const auto session = Open(1);
  for (int64_t row = 0; row < 200; ++row) {
    const auto room = session->Lend();
    ASSERT_TRUE(room.ok());
    ASSERT_EQ(room->rows, 1);
    std::memset(room->bytes, static_cast<int>(row), room->bytes_per_row);
    kept.push_back({room->bytes, row});
    ASSERT_TRUE(session->Submit(1, false).ok());
    const auto answer = session->Take();
    ASSERT_TRUE(answer.ok());
    const int64_t end = answer->bits.first_row + answer->bits.rows;
    while (!kept.empty() && kept.front().number < end) kept.pop_front();
    for (const Row& each : kept) {
      ASSERT_EQ(std::to_integer<int>(*each.gray),
                static_cast<int>(each.number) & 0xff);
    }
  }
  EXPECT_LE(kept.size(), 52u);
}

TEST_F(TwoPassSessionTest, APageMayEndSoonerThanItsCarryExpects) {
  const uint64_t seed = FreshSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (const auto& engine : engines_) {
    if (!engine->Probe().ok() || !engine->Serves(best_).ok()) continue;
    for (int32_t rows = 1; rows < 45; ++rows) {
      const Page page = *Page::Make(83, 8, 32);
      const GrayPage gray = MakePage(page, rows, Content::kNoise, random);
      const Carry above = MakeCarry(best_, page, random);
      const BitPage expected = HalftoneWhole(gray, best_, above);
      const auto actual =
          RunEngine(*engine, gray, best_, above, {"at once", {rows}});
      ASSERT_TRUE(actual.ok()) << actual.error().message;
      EXPECT_EQ(DescribeDifference(expected, *actual, best_, page), "");
      EXPECT_EQ(expected.below, actual->below);
    }
  }
}

TEST_F(TwoPassSessionTest, MayBeDroppedWithBandsInFlight) {
  for (int submitted = 0; submitted < 4; ++submitted) {
    const auto session = Open(64);
    for (int i = 0; i < submitted; ++i) {
      const auto room = session->Lend();
      std::memset(room->bytes, 0x55, 64 * room->bytes_per_row);
      ASSERT_TRUE(session->Submit(64, false).ok());
    }
  }
}

TEST_F(TwoPassSessionTest, TakesNoMemoryOfTheCallers) {
  PageOrder order{*Page::Make(50, 8), best_, {}, 64};
  order.memory = [] { return BandMemory(); };
  const auto session = (*ChooseEngine(engines_, "auto", best_))->Open(order);
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code, ErrorCode::kUnavailable);
}

// Fails to allocate from its n-th piece on.
class StarvedStrips : public Strips {
 public:
  explicit StarvedStrips(int good_jobs) : good_jobs_(good_jobs) {}

  int32_t rows_per_strip() const override { return 1; }
  bool can_overlap() const override { return true; }
  void Restart(const Carry&) override {}
  void Run(const StripJob&) override {
    if (good_jobs_-- <= 0) throw std::bad_alloc();
  }

 private:
  std::atomic<int> good_jobs_;
};

TEST_F(TwoPassSessionTest, WithoutMemoryItFailsAndNotTheProgram) {
  for (const int good_jobs : {0, 1, 5}) {
    const auto make = [&](const Page&, const Recipe&) {
      return std::make_unique<StarvedStrips>(good_jobs);
    };
    const auto session = std::move(*OpenTwoPassSession(
        {*Page::Make(50, 8), best_, {}, 64}, make, SwapByDefinition, pool_));
    Result<Finished> finished = IoError("nothing was taken");
    do {
      const auto room = session->Lend();
      ASSERT_TRUE(room.ok());
      std::memset(room->bytes, 0, 64 * room->bytes_per_row);
      ASSERT_TRUE(session->Submit(64, false).ok());
      finished = session->Take();
    } while (finished.ok());
    EXPECT_EQ(finished.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(finished.error().message, "out of memory for halftoning");
  }
}

}  // namespace
}  // namespace halftoned::testing
