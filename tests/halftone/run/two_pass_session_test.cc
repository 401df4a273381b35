// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions whose answers lag behind. The equality suite checks the bits.

#include "halftone/cpu/two_pass/two_pass_session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
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

// As in a worker, whose client has its ring for other bands then.
TEST_F(TwoPassSessionTest, NeedsTheCallersMemoryUntilItsAnswerAlone) {
  const uint64_t seed = FreshSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (const int32_t most : {1, 7, 40, 150}) {
    const Page page = *Page::Make(83, 8);
    const GrayPage gray = MakePage(page, 300, Content::kNoise, random);
    const Carry above = Carry::AtStart(best_, page);
    const BitPage expected = HalftoneWhole(gray, best_, above);
    std::vector<std::byte> samples(gray.bytes_per_row() *
                                   static_cast<size_t>(most));
    std::vector<std::byte> bits(
        expected.bytes_per_row *
        static_cast<size_t>(most + best_.most_waiting_rows()));
    PageOrder order{page, best_, {}, most};
    order.memory = [&] { return BandMemory{samples.data(), bits.data()}; };
    const auto session =
        std::move(*(*ChooseEngine(engines_, "auto", best_))->Open(order));
    int32_t in = 0;
    while (in < gray.rows) {
      const auto room = session->Lend();
      ASSERT_TRUE(room.ok());
      ASSERT_EQ(room->bytes, samples.data());
      const auto rows = std::min(
          gray.rows - in, 1 + static_cast<int32_t>(random() % room->rows));
      std::memcpy(
          room->bytes,
          gray.samples.data() + gray.bytes_per_row() * static_cast<size_t>(in),
          gray.bytes_per_row() * static_cast<size_t>(rows));
      in += rows;
      ASSERT_TRUE(session->Submit(rows, in == gray.rows).ok());
      const auto answer = session->Take();
      ASSERT_TRUE(answer.ok());
      ASSERT_EQ(answer->bits.bytes, bits.data());
      ASSERT_LE(answer->bits.rows, rows + best_.most_waiting_rows());
      ASSERT_EQ(std::memcmp(bits.data(),
                            expected.bytes.data() +
                                expected.bytes_per_row *
                                    static_cast<size_t>(answer->bits.first_row),
                            expected.bytes_per_row *
                                static_cast<size_t>(answer->bits.rows)),
                0);
      std::ranges::fill(samples, std::byte{0xa5});
      std::ranges::fill(bits, std::byte{0xa5});
    }
  }
}

TEST_F(TwoPassSessionTest, APageMayEndSoonerThanItsCarryExpects) {
  const uint64_t seed = FreshSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  Recipe::Parts parts = best_.parts();
  for (const auto& engine : engines_) {
    if (!engine->Probe().ok() || !engine->Serves(best_).ok()) continue;
    for (int32_t rows = 1; rows < 45; rows += 1 + int32_t(random() % 3)) {
      parts.levels = random() % 2 == 0 ? 2 : 4;
      const Recipe recipe = *Recipe::Make(parts);
      const Page page = *Page::Make(83, 8, 32);
      const GrayPage gray = MakePage(page, rows, Content::kNoise, random);
      const Carry above = MakeCarry(recipe, page, random);
      const BitPage expected = HalftoneWhole(gray, recipe, above);
      const auto actual =
          RunEngine(*engine, gray, recipe, above, {"at once", {rows}});
      ASSERT_TRUE(actual.ok()) << actual.error().message;
      EXPECT_EQ(DescribeDifference(expected, *actual, recipe, page), "");
      EXPECT_EQ(expected.below, actual->below);
    }
  }
}

TEST_F(TwoPassSessionTest, CanBeDroppedWithBandsInFlight) {
  for (int submitted = 0; submitted < 4; ++submitted) {
    const auto session = Open(64);
    for (int i = 0; i < submitted; ++i) {
      const auto room = session->Lend();
      std::memset(room->bytes, 0x55, 64 * room->bytes_per_row);
      ASSERT_TRUE(session->Submit(64, false).ok());
    }
  }
}

// Fails to allocate from its n-th piece on.
class StarvedPasses : public Strips {
 public:
  explicit StarvedPasses(int good_jobs) : good_jobs_(good_jobs) {}

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
      return std::make_unique<StarvedPasses>(good_jobs);
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
