// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The session interface, for every local engine: what it lends, refuses and
// answers. The equality suite checks the bits.

#include "halftone/run/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <set>
#include <utility>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "halftone/cpu/local_session.h"

namespace halftoned {
namespace {

class SessionTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) {
    return (*ChooseEngine(engines_, "auto", Recipe::FloydSteinberg()))
        ->Open(order);
  }
  std::unique_ptr<Session> OpenSmall(int rows_per_band) {
    return std::move(*Open(
        {*Page::Make(20, 8), Recipe::FloydSteinberg(), {}, rows_per_band}));
  }

  Pool pool_{2};
  EngineList engines_ = LocalEngines(pool_);
};

TEST_F(SessionTest, LendsUntilEveryRoomIsOutAndAgainAfterAnAnswer) {
  const auto session = OpenSmall(4);
  int lent = 0;
  for (;; ++lent) {
    const auto room = session->Lend();
    ASSERT_TRUE(room.ok());
    if (room->rows == 0) break;
    EXPECT_EQ(room->rows, 4);
    std::memset(room->bytes, 0, 4 * room->bytes_per_row);
    ASSERT_LT(lent, 1000) << "rooms are not bounded";
  }
  ASSERT_GE(lent, 2);
  for (int i = 0; i < lent; ++i) {
    ASSERT_TRUE(session->Submit(4, i + 1 == lent).ok());
  }
  for (int i = 0; i < lent; ++i) {
    const auto finished = session->Take();
    ASSERT_TRUE(finished.ok());
    EXPECT_EQ(finished->bits.first_row, 4 * i);
    EXPECT_EQ(finished->bits.rows, 4);
    EXPECT_EQ(finished->carry->next_row(), 4 * i + 4);
  }
}

TEST_F(SessionTest, AnAnswerStaysInViewWhileFurtherRoomsAreLentAndFilled) {
  const auto session = OpenSmall(1);
  const auto first = session->Lend();
  std::memset(first->bytes, 0xff, first->bytes_per_row);
  ASSERT_TRUE(session->Submit(1, false).ok());
  const auto finished = session->Take();
  ASSERT_TRUE(finished.ok());
  for (;;) {
    const auto room = session->Lend();
    ASSERT_TRUE(room.ok());
    if (room->rows == 0) break;
    std::memset(room->bytes, 0, room->bytes_per_row);
    ASSERT_TRUE(session->Submit(1, false).ok());
  }
  EXPECT_EQ(std::to_integer<int>(finished->bits.row(0)[0]), 0xff);
}

TEST_F(SessionTest, RefusesAnOrderThatContradictsItself) {
  const Page page = *Page::Make(20, 8, 5);
  const Recipe recipe = Recipe::FloydSteinberg();
  const Carry elsewhere = Carry::AtStart(recipe, *Page::Make(20, 8, 6));
  EXPECT_EQ(Open({page, recipe, elsewhere, 0}).error().code,
            ErrorCode::kBadInput);
  EXPECT_FALSE(Open({page, recipe, {}, -1}).ok());
  EXPECT_FALSE(Open({page, recipe, {}, Page::kMaxRowsPerBand + 1}).ok());
  EXPECT_FALSE(Open({*Page::Make(Page::kMaxWidth, 16), recipe, {}, 4096}).ok());
}

TEST_F(SessionTest, AfterAnErrorThereIsOnlyThatError) {
  const auto session = OpenSmall(2);
  const auto room = session->Lend();
  std::memset(room->bytes, 0, 2 * room->bytes_per_row);
  const auto wrong = session->Submit(9, false);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(session->Submit(1, true).error().message, wrong.error().message);
  EXPECT_EQ(session->Lend().error().message, wrong.error().message);
  EXPECT_EQ(session->Take().error().message, wrong.error().message);
}

TEST_F(SessionTest, CallsOutOfOrderAreBugsNotCrashes) {
  const auto session = OpenSmall(4);
  EXPECT_EQ(session->Submit(1, false).error().code, ErrorCode::kBug);
  EXPECT_EQ(session->Take().error().code, ErrorCode::kBug);
}

TEST_F(SessionTest, APageEndsAtTheLastRowThatCanBeNumbered) {
  const auto session = std::move(*Open({*Page::Make(1, 8, Page::kMaxRows - 1),
                                        Recipe::FloydSteinberg(),
                                        {},
                                        2}));
  const auto room = session->Lend();
  std::memset(room->bytes, 0, 2 * room->bytes_per_row);
  EXPECT_EQ(session->Submit(2, true).error().code, ErrorCode::kBadInput);
}

TEST_F(SessionTest, CanBeDroppedWithBandsInFlight) {
  const auto session = OpenSmall(64);
  for (int i = 0; i < 2; ++i) {
    const auto room = session->Lend();
    std::memset(room->bytes, 0x55, 64 * room->bytes_per_row);
    ASSERT_TRUE(session->Submit(64, false).ok());
  }
}

// Fails to allocate from its n-th job on.
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

TEST_F(SessionTest, WithoutMemoryItFailsAndNotTheProgram) {
  constexpr int kRows = 8;
  for (int32_t width : {20, 2000}) {  // by one thread, by several
    for (int good_jobs : {0, 1, 5}) {
      const auto make = [&](const Page&, const Recipe&) {
        return std::make_unique<StarvedStrips>(good_jobs);
      };
      const auto session = std::move(*OpenLocalSession(
          {*Page::Make(width, 8), Recipe::FloydSteinberg(), {}, kRows}, make,
          &pool_));
      Result<Finished> finished = IoError("nothing was taken");
      do {
        const auto room = session->Lend();
        std::memset(room->bytes, 0, kRows * room->bytes_per_row);
        ASSERT_TRUE(session->Submit(kRows, false).ok());
        finished = session->Take();
      } while (finished.ok());
      EXPECT_EQ(finished.error().code, ErrorCode::kUnavailable);
      EXPECT_EQ(finished.error().message, "out of memory for halftoning");
    }
  }
}

// The bits of a page of noise.
std::vector<std::byte> BitsOf(const Engine& engine, const Recipe& recipe,
                              int32_t width, int32_t rows,
                              int32_t rows_per_band) {
  const auto session = std::move(
      *engine.Open({*Page::Make(width, 8), recipe, {}, rows_per_band}));
  constexpr int32_t kPeriod = 997;
  std::vector<std::byte> noise;
  uint32_t number = 1;
  for (int32_t i = 0; i < kPeriod + width; ++i) {
    number = number * 1664525u + 1013904223u;
    noise.push_back(static_cast<std::byte>(number >> 24));
  }
  std::vector<std::byte> bits;
  for (int32_t row = 0; row < rows; row += rows_per_band) {
    const int32_t count = std::min(rows_per_band, rows - row);
    const GrayRoom room = *session->Lend();
    for (int32_t i = 0; i < count; ++i) {
      std::memcpy(room.row(i), noise.data() + 31 * (row + i) % kPeriod,
                  static_cast<size_t>(width));
    }
    EXPECT_TRUE(session->Submit(count, row + count == rows).ok());
    const Finished finished = *session->Take();
    EXPECT_EQ(finished.carry->next_row(), row + count);
    for (int32_t i = 0; i < count; ++i) {
      const std::byte* from = finished.bits.row(i);
      bits.insert(bits.end(), from, from + recipe.bit_bytes_per_row(width));
    }
  }
  return bits;
}

TEST_F(SessionTest, ABandThatIsCutIntoTasksHasTheSameBits) {
  constexpr int32_t kWidth = 100;
  constexpr int32_t kRows = 25'000;  // more than a task has
  for (const Recipe& recipe : {Recipe::FloydSteinberg(), Recipe::Fine()}) {
    const std::vector<std::byte> bits =
        BitsOf(**FindEngine(engines_, "scalar"), recipe, kWidth, kRows, 999);
    for (const auto& engine : engines_) {
      if (!engine->Probe().ok() || !engine->Serves(recipe).ok()) continue;
      EXPECT_EQ(BitsOf(*engine, recipe, kWidth, kRows, kRows), bits)
          << engine->name();
    }
  }
}

TEST_F(SessionTest, LendsTheMostRecentlyUsedMemory) {
  const auto session = OpenSmall(4);
  std::set<std::byte*> used;
  for (int band = 0; band < 10; ++band) {
    const auto room = session->Lend();
    std::memset(room->bytes, 0, 4 * room->bytes_per_row);
    used.insert(room->bytes);
    ASSERT_TRUE(session->Submit(4, band == 9).ok());
    ASSERT_TRUE(session->Take().ok());
  }
  EXPECT_EQ(used.size(), 2u);  // one is on view while the other is lent
}

TEST_F(SessionTest, EnginesAreChosenByNameOrByPriority) {
  EXPECT_EQ(
      (*ChooseEngine(engines_, "scalar", Recipe::FloydSteinberg()))->name(),
      "scalar");
  const auto unknown =
      ChooseEngine(engines_, "abacus", Recipe::FloydSteinberg());
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::kBadInput);
  EXPECT_NE(unknown.error().message.find("scalar"), std::string::npos);
  const Engine& best =
      **ChooseEngine(engines_, "auto", Recipe::FloydSteinberg());
  for (const auto& engine : engines_) {
    if (engine->Probe().ok()) {
      EXPECT_GE(best.priority(), engine->priority());
    }
  }
}

}  // namespace
}  // namespace halftoned
