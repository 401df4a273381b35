// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session that dies or lets its page go at every possible call, under every
// plan: the bits are the same, and the listener is called once for each death.
// HALFTONED_RANDOM_PAGES below 200 tries a sample of the calls for plans of
// many bands.

#include "halftone/run/failover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "tests/equality/difference.h"
#include "tests/equality/pages.h"
#include "tests/equality/run_engine.h"

namespace halftoned::testing {
namespace {

// Opens sessions of another engine that die, all together, at the n-th call.
class DyingEngine : public Engine {
 public:
  DyingEngine(const Engine& engine, int calls_to_live)
      : engine_(engine), calls_to_live_(calls_to_live) {}

  std::string_view name() const override { return "dying"; }
  std::string_view needs() const override { return "luck"; }
  int priority() const override { return 2000; }
  Result<void> Probe() const override { return {}; }
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    HALFTONED_TRY(Live());
    HALFTONED_TRY_ASSIGN(auto session, engine_.Open(order));
    return std::unique_ptr<Session>(
        std::make_unique<DyingSession>(*this, std::move(session)));
  }

  bool has_died() const { return calls_to_live_ < 0; }

 private:
  class DyingSession : public Session {
   public:
    DyingSession(const DyingEngine& engine, std::unique_ptr<Session> session)
        : engine_(engine), session_(std::move(session)) {}
    Result<GrayRoom> Lend() override {
      HALFTONED_TRY(engine_.Live());
      return session_->Lend();
    }
    Result<void> Submit(int32_t rows, bool last) override {
      HALFTONED_TRY(engine_.Live());
      return session_->Submit(rows, last);
    }
    Result<Finished> Take() override {
      HALFTONED_TRY(engine_.Live());
      return session_->Take();
    }
    bool Ready() override { return session_->Ready(); }

   private:
    const DyingEngine& engine_;
    std::unique_ptr<Session> session_;
  };

  Result<void> Live() const {
    if (calls_to_live_ <= 0) {
      calls_to_live_ = -1;
      return Unavailable("struck by the test");
    }
    --calls_to_live_;
    return {};
  }

  const Engine& engine_;
  mutable int calls_to_live_;
};

// Opens sessions of another engine, the first of which let their pages go at
// the n-th call. It knows how many sessions there are.
class LettingGoEngine : public Engine {
 public:
  LettingGoEngine(const Engine& engine, int sessions, int calls)
      : engine_(engine), sessions_(sessions), calls_(calls) {}

  std::string_view name() const override { return "letting go"; }
  std::string_view needs() const override { return "patience"; }
  int priority() const override { return 2000; }
  Result<void> Probe() const override { return {}; }
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    HALFTONED_TRY_ASSIGN(auto session, engine_.Open(order));
    return std::unique_ptr<Session>(std::make_unique<LettingGo>(
        *this, std::move(session), opened_++ < sessions_ ? calls_ : INT_MAX));
  }

  int opened() const { return opened_; }
  int most() const { return most_; }  // at the same time

 private:
  class LettingGo : public Session {
   public:
    LettingGo(const LettingGoEngine& engine, std::unique_ptr<Session> session,
              int calls)
        : engine_(engine), calls_(calls), session_(std::move(session)) {
      engine_.most_ = std::max(engine_.most_, ++engine_.living_);
    }
    ~LettingGo() override { --engine_.living_; }
    Result<GrayRoom> Lend() override {
      HALFTONED_TRY(Stay());
      return session_->Lend();
    }
    Result<void> Submit(int32_t rows, bool last) override {
      HALFTONED_TRY(Stay());
      return session_->Submit(rows, last);
    }
    Result<Finished> Take() override {
      HALFTONED_TRY(Stay());
      return session_->Take();
    }
    bool Ready() override { return session_->Ready(); }

   private:
    Result<void> Stay() {
      if (calls_-- > 0) return {};
      calls_ = 0;
      return Error{ErrorCode::kAskAgain, "let go by the test"};
    }

    const LettingGoEngine& engine_;
    int calls_;
    std::unique_ptr<Session> session_;
  };

  const Engine& engine_;
  const int sessions_;
  const int calls_;
  mutable int opened_ = 0;
  mutable int living_ = 0;
  mutable int most_ = 0;
};

// Another engine, which opens no page when `refuses` says so.
class RefusingEngine : public Engine {
 public:
  RefusingEngine(const Engine& engine, std::function<bool()> refuses)
      : engine_(engine), refuses_(std::move(refuses)) {}

  std::string_view name() const override { return "refusing"; }
  std::string_view needs() const override { return "leave"; }
  int priority() const override { return 2000; }
  Result<void> Probe() const override { return {}; }
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    if (refuses_()) return Unavailable("refused by the test");
    return engine_.Open(order);
  }

 private:
  const Engine& engine_;
  const std::function<bool()> refuses_;
};

class Failover : public ::testing::Test {
 protected:
  Failover()
      : Failover(*Recipe::Make(EveryKind()[FreshSeed() % EveryKind().size()])) {
  }
  explicit Failover(const Recipe& recipe) : recipe_(recipe) {
    engine_ = *ChooseEngine(engines_, "auto", recipe_);
    const Page page = *Page::Make(131, 8);
    gray_ = std::make_unique<GrayPage>(
        MakePage(page, kRows, Content::kNoise, random_));
    expected_ = std::make_unique<BitPage>(
        HalftoneWhole(*gray_, recipe_, Carry::AtStart(recipe_, page)));
    carries_ = std::make_unique<CarriesBelow>(*gray_, recipe_,
                                              Carry::AtStart(recipe_, page));
  }

  // Checks that `engine` makes the right page.
  void Check(const Engine& engine, const Plan& plan) {
    const auto actual = RunEngine(engine, *carries_, plan);
    ASSERT_TRUE(actual.ok()) << actual.error().message;
    ASSERT_EQ(DescribeDifference(*expected_, *actual, recipe_, gray_->page),
              "");
    ASSERT_EQ(expected_->below, actual->below);
  }

  // To the next call of a plan that is tried: all, or a sample of many.
  int Step(const Plan& plan) {
    const bool is_sampled = RandomPages(200) < 200 && plan.bands.size() > 20;
    return is_sampled ? 1 + static_cast<int>(random_() % 7) : 1;
  }

  void CheckADeathAtAnyCall();
  void CheckSeveralDeaths();
  void CheckLeftSessions();

  static constexpr int kRows = 90;
  const uint64_t seed_ = FreshSeed();
  Random random_{seed_};
  const Recipe recipe_;
  Pool pool_{2};
  const EngineList engines_ = LocalEngines(pool_);
  const Engine* engine_ = nullptr;
  std::unique_ptr<GrayPage> gray_;
  std::unique_ptr<BitPage> expected_;
  std::unique_ptr<CarriesBelow> carries_;
};

// A recipe whose answers lag behind.
class FailoverOfBest : public Failover {
 protected:
  FailoverOfBest()
      : Failover(*Recipe::Make(Recipe::PartsOf(Algorithm::kBest))) {}
};

void Failover::CheckADeathAtAnyCall() {
  for (const Plan& plan : PlansFor(kRows, random_)) {
    bool died = true;
    for (int calls = 0; died; calls += Step(plan)) {
      const DyingEngine dying(*engine_, calls);
      int moves = 0;
      const FailoverEngine engine({&dying, engine_}, [&](const Move& move) {
        ++moves;
        EXPECT_EQ(move.from, "dying");
        EXPECT_EQ(move.error.message, "struck by the test");
      });
      Check(engine, plan);
      if (HasFatalFailure()) {
        FAIL() << plan.name << ", death at call " << calls << ", seed "
               << seed_;
      }
      died = dying.has_died();
      // A page of several sessions finds the engine dead more than once.
      EXPECT_EQ(moves > 0, died);
      if (plan.bands_per_session == 0) {
        EXPECT_LE(moves, 1);
      }
    }
  }
}

void Failover::CheckSeveralDeaths() {
  for (const Plan& plan : PlansFor(kRows, random_)) {
    for (int round = 0; round < 20; ++round) {
      const DyingEngine first(*engine_, static_cast<int>(random_() % 40));
      const DyingEngine second(*engine_, static_cast<int>(random_() % 40));
      const FailoverEngine engine({&first, &second, engine_},
                                  [](const Move&) {});
      Check(engine, plan);
      if (HasFatalFailure()) FAIL() << plan.name << ", seed " << seed_;
    }
  }
}

TEST_F(Failover, ADeathAtAnyCallLosesNoBit) { CheckADeathAtAnyCall(); }
TEST_F(FailoverOfBest, ADeathAtAnyCallLosesNoBit) { CheckADeathAtAnyCall(); }
TEST_F(Failover, APageOutlivesSeveralDeaths) { CheckSeveralDeaths(); }
TEST_F(FailoverOfBest, APageOutlivesSeveralDeaths) { CheckSeveralDeaths(); }

TEST_F(Failover, APageThatIsLetGoAtAnyCallStaysWithItsEngine) {
  for (const Plan& plan : PlansFor(kRows, random_)) {
    if (plan.bands_per_session > 0) continue;
    bool was_let_go = true;
    for (int calls = 0; was_let_go; calls += Step(plan)) {
      const LettingGoEngine alone(*engine_, 1, calls);
      const FailoverEngine engine({&alone, engine_},
                                  [](const Move&) { FAIL() << "moved"; });
      Check(engine, plan);
      if (HasFatalFailure()) {
        FAIL() << plan.name << ", let go at call " << calls << ", seed "
               << seed_;
      }
      was_let_go = alone.opened() > 1;
    }
  }
}

// The memory of a page that is let go again and again does not grow with it.
void Failover::CheckLeftSessions() {
  // Each session gets the rows that wait first: two lends, a submit, a take.
  const int again = 4 * recipe_.most_waiting_rows();
  const LettingGoEngine restless(*engine_, INT_MAX, again + 3);
  const FailoverEngine engine({&restless});
  Check(engine, {"row by row", std::vector<int32_t>(kRows, 1), 0});
  EXPECT_GE(restless.opened(), again > 0 ? 2 : kRows / 2);
  EXPECT_LE(restless.most(), 4);
}

TEST_F(Failover, SessionsThatWereLeftEndWithTheirLastBand) {
  CheckLeftSessions();
}
TEST_F(FailoverOfBest, SessionsThatWereLeftEndWithTheirLastBand) {
  CheckLeftSessions();
}

TEST_F(Failover, AnEngineThatOnlyReleasesThePageIsNotAskedForever) {
  const auto run = [&](const Engine& engine) {
    return RunEngine(engine, *gray_, recipe_,
                     Carry::AtStart(recipe_, gray_->page),
                     {"all at once", {kRows}});
  };
  const LettingGoEngine never(*engine_, INT_MAX, 1);
  const auto actual = run(FailoverEngine({&never}));
  ASSERT_FALSE(actual.ok());
  EXPECT_EQ(actual.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(actual.error().message, "asked 4 times again: let go by the test");

  int moves = 0;
  const FailoverEngine engine({&never, engine_}, [&](const Move&) { ++moves; });
  EXPECT_TRUE(run(engine).ok());
  EXPECT_EQ(moves, 1);
}

// What lets a page go may leave before it is asked again.
TEST_F(Failover, ADeathAfterBeingLetGoIsForgivenOnce) {
  for (const int deaths : {1, 2}) {
    int opened = 0;
    const LettingGoEngine once(*engine_, 1, 2);
    const RefusingEngine leaving(once, [&] {
      const int number = opened++;
      return number > 0 && number <= deaths;
    });
    const auto actual =
        RunEngine(FailoverEngine({&leaving}), *gray_, recipe_,
                  Carry::AtStart(recipe_, gray_->page), {"whole", {kRows}});
    EXPECT_EQ(actual.ok(), deaths == 1);
  }
}

TEST_F(Failover, ReturnsTheLastErrorIfNoEngineIsLeft) {
  const DyingEngine first(*engine_, 3);
  const DyingEngine second(*engine_, 0);
  const FailoverEngine engine({&first, &second}, [](const Move&) {});
  const auto actual =
      RunEngine(engine, *gray_, recipe_, Carry::AtStart(recipe_, gray_->page),
                {"all at once", {kRows}});
  ASSERT_FALSE(actual.ok());
  EXPECT_EQ(actual.error().code, ErrorCode::kUnavailable);
}

TEST_F(Failover, ReportsThePagesOwnFault) {
  const FailoverEngine engine({engine_, engine_},
                              [](const Move&) { FAIL() << "moved"; });
  const auto session = engine.Open({gray_->page, recipe_, {}, -1});
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code, ErrorCode::kBadInput);
}

}  // namespace
}  // namespace halftoned::testing
