// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checking one band in N finds an engine that computes wrong bits.

#include "halftone/run/checked.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "halftone/page/carry.h"
#include "tests/equality/run_engine.h"

namespace halftoned::testing {
namespace {

enum class Lie { kNone, kBit, kRow, kCarry, kWholeCarry, kRows };

// Passes on another engine's results, except for `count` bands from `band` on,
// counted over all sessions from 0.
class LyingEngine : public Engine {
 public:
  LyingEngine(const Engine& honest, Lie lie, int band, int count = INT_MAX)
      : honest_(honest), lie_(lie), band_(band), count_(count) {}

  // From now on, lies only in the band of this number; kRow: in this row of its
  // answer.
  void LieOnce(int band, int row = 0) const {
    band_ = band;
    count_ = 1;
    row_ = static_cast<size_t>(row);
  }

  std::string_view name() const override { return "lying"; }
  std::string_view needs() const override { return "a test"; }
  int priority() const override { return 1; }
  Result<void> Probe() const override { return {}; }
  Result<void> Serves(const Recipe&) const override { return {}; }
  // Holds the memory of only one request, the one that HoldOnly names.
  Result<std::shared_ptr<void>> Hold(std::span<std::byte>,
                                     bool) const override {
    if (--holds_ == 0) return std::shared_ptr<void>(std::make_shared<int>());
    return Unavailable("no memory can be held");
  }
  void HoldOnly(int request) const { holds_ = request; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    HALFTONED_TRY_ASSIGN(auto session, honest_.Open(order));
    return std::unique_ptr<Session>(
        std::make_unique<Lying>(*this, std::move(session)));
  }

 private:
  class Lying : public Session {
   public:
    Lying(const LyingEngine& engine, std::unique_ptr<Session> session)
        : engine_(engine), session_(std::move(session)) {}
    Result<GrayRoom> Lend() override { return session_->Lend(); }
    Result<void> Submit(int32_t rows, bool last) override {
      return session_->Submit(rows, last);
    }
    bool Ready() override { return session_->Ready(); }

    Result<Finished> Take() override {
      HALFTONED_TRY_ASSIGN(Finished finished, session_->Take());
      if (engine_.band_-- > 0) return finished;
      if (engine_.count_-- <= 0) return finished;
      BitBand& bits = finished.bits;
      if (engine_.lie_ == Lie::kRows) --bits.rows;
      if (engine_.lie_ == Lie::kBit || engine_.lie_ == Lie::kRow) {
        const size_t bytes =
            bits.bytes_per_row * static_cast<size_t>(bits.rows);
        bits_.assign(bits.bytes, bits.bytes + bytes);
        bits_[engine_.row_ * bits.bytes_per_row] ^= std::byte{0x80};
        bits.bytes = bits_.data();
      }
      if (engine_.lie_ == Lie::kWholeCarry) {  // which bits cannot but show
        carry_ = std::make_unique<Carry>(*finished.carry);
        std::ranges::fill(carry_->plane(0), int16_t{0});
        finished.carry = carry_.get();
      }
      if (engine_.lie_ == Lie::kCarry) {
        carry_ = std::make_unique<Carry>(*finished.carry);
        int16_t& error = carry_->plane(0).front();
        error = static_cast<int16_t>(error == 0 ? 1 : 0);
        finished.carry = carry_.get();
      }
      return finished;
    }

   private:
    const LyingEngine& engine_;
    std::unique_ptr<Session> session_;
    std::vector<std::byte> bits_;
    std::unique_ptr<Carry> carry_;
  };

  const Engine& honest_;
  const Lie lie_;
  mutable int band_;
  mutable int count_;
  mutable size_t row_ = 0;
  mutable int holds_ = 0;
};

class CheckedTest : public ::testing::Test {
 protected:
  static constexpr int32_t kRows = 9;  // of a band
  static constexpr int kBands = 10;

  CheckedEngine::Options OneIn(uint32_t count) {
    return {count, [this](const std::string& what) { wrong_.push_back(what); }};
  }
  // The result of the page; "" if it was completed.
  std::string Run(const Engine& engine, int bands_per_session = 0) {
    const auto made =
        RunEngine(engine, gray_, recipe_, Carry::AtStart(recipe_, gray_.page),
                  {"in bands", std::vector<int32_t>(kBands, kRows), 2, false,
                   bands_per_session});
    if (made.ok()) return "";
    EXPECT_EQ(made.error().code, ErrorCode::kUnavailable);
    return made.error().message;
  }

  // As above, but in memory that is shared with another process. is_written:
  // that process overwrites gray after it is submitted and bits when they are
  // ready.
  std::string RunInSharedMemory(const Engine& engine, bool is_written);

  Random random_{FreshSeed()};
  const Recipe recipe_ = Recipe::Fine();
  const GrayPage gray_ =
      MakePage(*Page::Make(77, 8), kBands* kRows, Content::kNoise, random_);
  Pool pool_{2};
  const EngineList engines_ = LocalEngines(pool_);
  const Engine& honest_ = **ChooseEngine(engines_, "auto", recipe_);
  const Engine& reference_ = **ChooseEngine(engines_, "scalar", recipe_);
  std::vector<std::string> wrong_;  // what it was told
};

TEST_F(CheckedTest, OneBandInNIsCheckedAcrossSessions) {
  for (const uint32_t one_in : {1u, 2u, 3u, 7u, 64u}) {
    const CheckedEngine engine(honest_, reference_, OneIn(one_in));
    EXPECT_EQ(Run(engine), "");
    EXPECT_EQ(Run(engine, 1), "");
    EXPECT_EQ(Run(engine, 3), "");
    EXPECT_EQ(engine.checks(), 3u * kBands / one_in);
  }
  EXPECT_TRUE(wrong_.empty());
}

TEST_F(CheckedTest, ADifferenceEndsThePageAndIsTold) {
  const std::pair<Lie, std::string> lies[] = {
      {Lie::kBit, "a bit is wrong in row 45"},
      {Lie::kCarry, "the carry below row 53 is wrong"},
      {Lie::kRows, "the number of finished rows is wrong"}};
  for (const auto& [lie, what] : lies) {
    for (const uint32_t one_in : {1u, 2u, 3u, 6u}) {  // of which band 5 is one
      const LyingEngine lying(honest_, lie, 5);
      const CheckedEngine engine(lying, reference_, OneIn(one_in));
      wrong_.clear();
      EXPECT_EQ(Run(engine), what);
      EXPECT_EQ(wrong_, std::vector<std::string>{what});
      EXPECT_EQ(engine.checks(), 6 / one_in - 1);
    }
  }
}

TEST_F(CheckedTest, OnlyTheThirdAccidentIsToldButEachEndsItsPage) {
  const LyingEngine lying(honest_, Lie::kBit, 0, 0);
  const CheckedEngine engine(lying, reference_, OneIn(1));
  const std::string accident = ", but right in a second attempt";
  const std::string third =
      "a bit is wrong in row 27" + accident + ", for the third time";
  for (const auto& [band, what] :
       {std::pair(0, "a bit is wrong in row 0" + accident),
        std::pair(5, "a bit is wrong in row 45" + accident),
        std::pair(3, third)}) {
    EXPECT_TRUE(wrong_.empty());
    lying.LieOnce(band);
    EXPECT_EQ(Run(engine), what);
  }
  EXPECT_EQ(wrong_, std::vector<std::string>{third});
}

TEST_F(CheckedTest, ErrorsInUncheckedBandsAreNotFound) {
  for (const uint32_t one_in : {0u, 2u, 3u}) {
    const LyingEngine lying(honest_, Lie::kBit, 4, 1);
    const CheckedEngine engine(lying, reference_, OneIn(one_in));
    EXPECT_EQ(Run(engine), "");
    EXPECT_EQ(engine.checks(), one_in == 0 ? 0 : kBands / one_in);
  }
  EXPECT_TRUE(wrong_.empty());
}

std::string CheckedTest::RunInSharedMemory(const Engine& engine,
                                           bool is_written) {
  const size_t gray_row = gray_.page.gray_bytes_per_row();
  std::vector<std::byte> gray(gray_row * kRows);
  std::vector<std::byte> bits(recipe_.bit_bytes_per_row(77) * kRows);
  PageOrder order{gray_.page, recipe_, {}, kRows};
  order.memory = [&] { return BandMemory{gray.data(), bits.data()}; };
  const auto session = engine.Open(order);
  if (!session.ok()) return session.error().message;
  const BitPage right =
      HalftoneWhole(gray_, recipe_, Carry::AtStart(recipe_, gray_.page));
  for (size_t band = 0; band < kBands; ++band) {
    const auto room = (*session)->Lend();
    if (!room.ok() || room->rows != kRows) return "no room";
    std::memcpy(room->bytes, gray_.samples.data() + band * gray.size(),
                gray.size());
    if (!(*session)->Submit(kRows, band + 1 == kBands).ok()) return "submitted";
    if (is_written) std::memset(gray.data(), 0, gray.size());
    while (!(*session)->Ready()) ::poll(nullptr, 0, 1);
    if (is_written) std::memset(bits.data(), 0x55, bits.size());
    const auto finished = (*session)->Take();
    if (!finished.ok()) return finished.error().message;
    EXPECT_EQ(std::memcmp(finished->bits.bytes,
                          right.bytes.data() + band * bits.size(), bits.size()),
              0);
    EXPECT_EQ(finished->bits.bytes, bits.data());
  }
  return "";
}

// Otherwise a client could make any engine look wrong.
TEST_F(CheckedTest, AWriterToItsMemoryMeanwhileChangesNothing) {
  const CheckedEngine engine(honest_, reference_, OneIn(1));
  EXPECT_EQ(RunInSharedMemory(engine, true), "");
  EXPECT_EQ(engine.checks(), kBands);
  EXPECT_TRUE(wrong_.empty());
}

TEST_F(CheckedTest, APageWithoutMemoryForItsChecksFailsIfEachBandNeedsOne) {
  const LyingEngine lying(honest_, Lie::kBit, 5, 1);
  const CheckedEngine engine(lying, reference_, OneIn(1));
  EXPECT_EQ(RunInSharedMemory(engine, false), "no memory to check a band");
  EXPECT_TRUE(wrong_.empty());
}

TEST_F(CheckedTest, IfMemoryIsShortTheNextBandIsChecked) {
  const LyingEngine honest(honest_, Lie::kNone, 0);
  honest.HoldOnly(2);
  const CheckedEngine engine(honest, reference_, OneIn(3));
  EXPECT_EQ(RunInSharedMemory(engine, false), "");
  EXPECT_EQ(engine.checks(), 3u);  // in bands 3, 6 and 9 instead of 2, 5 and 8
}

// With a recipe whose answers lag behind.
class CheckedBest : public CheckedTest {
 protected:
  // Runs a page whose sessions have this many bands each.
  std::string RunBest(const Engine& engine, int bands_per_session = 0) {
    return RunBest(engine, bands_per_session, tall_);
  }
  std::string RunBest(const Engine& engine, int bands_per_session,
                      const GrayPage& page) {
    const auto made = RunEngine(
        engine, page, best_, Carry::AtStart(best_, page.page),
        {"in bands",
         std::vector<int32_t>(static_cast<size_t>(page.rows / kTall), kTall), 2,
         false, bands_per_session});
    return made.ok() ? "" : made.error().message;
  }

  static constexpr int32_t kTall = 70;  // rows of a band
  const Recipe best_ = *Recipe::Make(Recipe::PartsOf(Algorithm::kBest));
  const GrayPage tall_ =
      MakePage(*Page::Make(33, 8), kBands* kTall, Content::kNoise, random_);
};

// A band that is due is checked if a session begins with it, or else the next
// of its session, or that with which the next session begins.
TEST_F(CheckedBest, OneBandInNIsCheckedOrTheNext) {
  for (const auto& [one_in, bands_per_session, checks] :
       {std::tuple(0u, 1, 0), std::tuple(1u, 0, 5), std::tuple(1u, 1, 10),
        std::tuple(2u, 0, 4), std::tuple(3u, 0, 3), std::tuple(3u, 1, 3),
        std::tuple(3u, 2, 2), std::tuple(64u, 1, 0)}) {
    const CheckedEngine engine(honest_, reference_, OneIn(one_in));
    EXPECT_EQ(RunBest(engine, bands_per_session), "");
    EXPECT_EQ(engine.checks(), static_cast<uint64_t>(checks))
        << one_in << ", " << bands_per_session;
  }
  EXPECT_TRUE(wrong_.empty());
}

TEST_F(CheckedBest, ADifferenceEndsThePageAndIsTold) {
  // Rows of a band: the first, which has the first check, one in the middle,
  // and the last.
  const std::tuple<Lie, int, uint32_t, std::string> lies[] = {
      {Lie::kBit, 0, 1, "a bit is wrong in row 0"},
      {Lie::kCarry, 0, 1, "the carry below row 31 is wrong"},
      {Lie::kRows, 0, 1, "the number of finished rows is wrong"},
      {Lie::kRows, 4, 1, "the number of finished rows is wrong"},
      {Lie::kRows, 9, 9, "the number of finished rows is wrong"}};
  for (const auto& [lie, band, one_in, what] : lies) {
    const LyingEngine lying(honest_, lie, band);
    const CheckedEngine engine(lying, reference_, OneIn(one_in));
    wrong_.clear();
    EXPECT_EQ(RunBest(engine), what);
    EXPECT_EQ(wrong_, std::vector<std::string>{what});
  }
}

// The answer to band 2 has rows 96 to 159, and three places for a check: the
// first two steps, the third and the fourth.
TEST_F(CheckedBest, EachRowOfAnAnswerIsCheckedOneTimeInThree) {
  constexpr int kPages = 24;
  const GrayPage page =
      MakePage(*Page::Make(9, 8), 4 * kTall, Content::kNoise, random_);
  for (const int row : {31, 47, 63}) {
    const LyingEngine lying(honest_, Lie::kRow, 0, 0);
    const CheckedEngine engine(lying, reference_, OneIn(1));
    int found = 0;
    for (int i = 0; i < kPages; ++i) {
      lying.LieOnce(2, row);
      const std::string what = RunBest(engine, 0, page);
      if (what.empty()) continue;
      EXPECT_TRUE(what.starts_with("a bit is wrong in row " +
                                   std::to_string(96 + row) + ", but right"))
          << what;
      ++found;
    }
    EXPECT_GT(found, kPages / 6) << row;
    EXPECT_LT(found, kPages / 2) << row;
  }
}

// Wherever it begins, from the state that the reference makes for it.
TEST_F(CheckedBest, AcceptsRightBitsOnAnyPage) {
  for (size_t i = 0; i < std::size(kContents); ++i) {
    Recipe::Parts parts = Recipe::PartsOf(Algorithm::kBest);
    parts.levels = i % 3 == 0 ? 2 : i % 3 == 1 ? 4 : 16;
    parts.parameters[Recipe::kPure] = static_cast<int32_t>(i % 2);
    parts.curve = MakeCurve(kCurves[i % std::size(kCurves)], random_);
    const Recipe recipe = *Recipe::Make(parts);
    constexpr int32_t kRowsOfBand = 150;
    const GrayPage page = MakePage(*Page::Make(33, i / 2 == 0 ? 16 : 8),
                                   3 * kRowsOfBand, kContents[i], random_);
    const CheckedEngine engine(honest_, reference_, OneIn(1));
    for (int bands_per_session : {0, 1}) {
      const auto made =
          RunEngine(engine, page, recipe, Carry::AtStart(recipe, page.page),
                    {"in bands", std::vector<int32_t>(3, kRowsOfBand), 2, false,
                     bands_per_session});
      EXPECT_TRUE(made.ok()) << made.error().message;
    }
    EXPECT_EQ(engine.checks(), 5u);
  }
  EXPECT_TRUE(wrong_.empty());
}

// The rows below it are what the engine made of another one.
TEST_F(CheckedBest, AWrongCarryShowsInTheNextCheck) {
  const LyingEngine lying(honest_, Lie::kWholeCarry, 3, 1);
  const CheckedEngine engine(lying, reference_, OneIn(1));
  const auto session = engine.Open({tall_.page, best_, {}, kTall});
  ASSERT_TRUE(session.ok());
  const std::byte* gray = tall_.samples.data();
  for (int band = 0; band < kBands; ++band) {
    const auto room = (*session)->Lend();
    ASSERT_TRUE(room.ok() && room->rows == kTall);
    const size_t bytes = room->bytes_per_row * kTall;
    std::memcpy(room->bytes, gray, bytes);
    gray += bytes;
    ASSERT_TRUE((*session)->Submit(kTall, band + 1 == kBands).ok());
    const auto finished = (*session)->Take();
    ASSERT_EQ(finished.ok(), band < 4);
    if (finished.ok()) continue;
    EXPECT_TRUE(finished.error().message.starts_with("a bit is wrong in row"));
    break;
  }
  EXPECT_EQ(engine.checks(), 2u);
  EXPECT_TRUE(wrong_.empty());  // from that carry it makes them, too
}

}  // namespace
}  // namespace halftoned::testing
