// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a worker handles many pages, long, idle and failing ones, and how it
// exits.

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "halftone/run/failover.h"
#include "tests/daemon/worker/hostile_client.h"
#include "tests/daemon/worker/hostile_client_fixture.h"
#include "tests/daemon/worker/staged_engine.h"
#include "tests/daemon/worker/test_worker.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {
namespace {

constexpr int kStagedWidth = 333;

wire::RemoteOptions Using(const TestWorker& worker, bool ring) {
  wire::RemoteOptions options = worker.options();
  options.use_ring = ring;
  return options;
}

// A worker with a staged engine for pages of kStagedWidth.
class StagedWorker : public ::testing::TestWithParam<bool> {
 protected:
  TestWorker::Setting Setting() {
    stage_.width = kStagedWidth;
    TestWorker::Setting setting;
    setting.engines = &engines_;
    // On a busy machine, a client must seldom pause for so long: a page that is
    // evicted four times in a row fails.
    setting.page_idle = std::chrono::milliseconds(100);
    return setting;
  }
  // Waits until the worker has reported this many evicted pages.
  void AwaitEvictions(uint64_t count) {
    while (worker_.Ask().counters.evicted_pages < count) {
      ::poll(nullptr, 0, 1);
    }
  }

  bool HasOpenPages() {
    return std::ranges::any_of(
        worker_.Ask().connections,
        [](const auto& connection) { return connection.page != 0; });
  }

  const SamplePage page_;
  const SamplePage staged_{kStagedWidth};
  StagedEngine::Stage stage_;
  const EngineList engines_ = StagedEngine::ListOf(stage_);
  TestWorker worker_{Setting()};
  const wire::RemoteEngine remote_{Using(worker_, GetParam())};
  const FailoverEngine engine_{{&remote_}};
};

INSTANTIATE_TEST_SUITE_P(RingAndInline, StagedWorker, ::testing::Bool(),
                         [](const auto& which) {
                           return which.param ? "Ring" : "Inline";
                         });

TEST_P(StagedWorker, EvictsAnIdlePageBetweenBandsWithoutLosingBits) {
  PageRun run(page_, engine_);
  for (int band = 0; band < page_.bands(); ++band) {
    AwaitEvictions(static_cast<uint64_t>(band) + 1);
    EXPECT_EQ(run.Go(1), "");
  }
  const daemon::Counters counters = worker_.Ask().counters;
  EXPECT_EQ(counters.pages, 1u);
  EXPECT_EQ(counters.rows, 96u);
  EXPECT_EQ(counters.failed_pages, 0u);
  EXPECT_EQ(counters.cancelled_pages, 0u);
  EXPECT_EQ(counters.protocol_errors, 0u);
}

TEST_P(StagedWorker, EvictsAPageWithWaitingRowsWithoutLosingBits) {
  const SamplePage best = SamplePage::OfBest();
  for (int first = 1; first < best.bands(); ++first) {
    PageRun run(best, engine_);
    EXPECT_EQ(run.Go(first), "");
    for (int band = first; band < best.bands(); ++band) {
      while (HasOpenPages()) ::poll(nullptr, 0, 1);
      EXPECT_EQ(run.Go(1), "");
    }
  }
  const daemon::Counters counters = worker_.Ask().counters;
  EXPECT_GE(counters.evicted_pages, 3u);
  EXPECT_EQ(counters.pages, 2u);
  EXPECT_EQ(counters.rows, 2u * 96);
  EXPECT_EQ(counters.failed_pages, 0u);
  EXPECT_EQ(counters.protocol_errors, 0u);
}

// Those rooms are of the sessions before it, and may be filled at any time.
TEST_P(StagedWorker, EvictsAPageWithLentRoomsWithoutLosingBits) {
  auto opened = engine_.Open(page_.order());
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  Session& session = **opened;
  std::vector<GrayRoom> rooms;
  for (int band = 0; band < page_.bands(); ++band) {
    rooms.push_back(*session.Lend());
    ASSERT_GT(rooms.back().rows, 0);
  }
  for (int band = 0; band < page_.bands(); ++band) {
    AwaitEvictions(static_cast<uint64_t>(band) + 1);
    std::memcpy(rooms[static_cast<size_t>(band)].bytes, page_.gray(band).data(),
                page_.gray(band).size());
    ASSERT_TRUE(
        session.Submit(page_.rows_per_band(), band + 1 == page_.bands()).ok());
    const auto finished = session.Take();
    ASSERT_TRUE(finished.ok()) << finished.error().message;
    EXPECT_EQ(finished->bits.first_row, page_.first_row(band));
    EXPECT_EQ(std::memcmp(finished->bits.bytes, page_.bits(band).data(),
                          page_.bits(band).size()),
              0)
        << "band " << band;
  }
  EXPECT_EQ(worker_.Ask().counters.failed_pages, 0u);
}

TEST_P(StagedWorker, LearnsOfAnEvictionFromReady) {
  PageRun run(page_, engine_);
  AwaitEvictions(1);
  EXPECT_EQ(run.Submit(), "");
  while (!run.session()->Ready()) ::poll(nullptr, 0, 1);
  EXPECT_EQ(run.Take(), "");
  EXPECT_EQ(run.GoToEnd(), "");
}

TEST_P(StagedWorker, DoesNotTreatAPageThatWaitsForAnswersAsIdle) {
  stage_.is_open = false;
  PageRun waiting(staged_, engine_);
  EXPECT_EQ(waiting.Submit(), "");
  const PageRun idle(page_, engine_);
  AwaitEvictions(1);
  stage_.Open();
  EXPECT_EQ(waiting.Take(), "");
  EXPECT_EQ(waiting.GoToEnd(), "");
}

TEST_P(StagedWorker, FinishesTheBandsThatItHasAndLeaves) {
  stage_.is_open = false;
  PageRun run(staged_, engine_);
  for (int i = 0; i < staged_.bands(); ++i) EXPECT_EQ(run.Submit(), "");
  RawPeer idle = worker_.Connect();
  while (std::ranges::none_of(
      worker_.Ask().connections,
      [](const auto& connection) { return connection.page != 0; })) {
    (void)run.session()->Ready();  // the page may have been evicted
    ::poll(nullptr, 0, 1);
  }
  worker_.Drain();
  EXPECT_EQ(idle.ReceiveFailure(), "");  // it has nothing to lose
  EXPECT_EQ(worker_.WaitForClosed().reason, "the worker was drained");
  stage_.Open();
  for (int i = 0; i < staged_.bands(); ++i) EXPECT_EQ(run.Take(), "");
  const daemon::Closed closed = worker_.WaitForClosed();
  EXPECT_EQ(closed.counters.pages, 1u);
  EXPECT_EQ(closed.reason, "the worker was drained");
}

TEST_P(StagedWorker, FinishesAnUnfinishedPageAndLeaves) {
  PageRun run(page_, engine_);
  EXPECT_EQ(run.Go(1), "");
  worker_.Drain();
  EXPECT_EQ(run.GoToEnd(), "");
  const daemon::Closed closed = worker_.WaitForClosed();
  EXPECT_EQ(closed.counters.pages, 1u);
  EXPECT_EQ(closed.counters.evicted_pages, 0u);
  EXPECT_EQ(closed.reason, "the worker was drained");
}

TEST_P(StagedWorker, SurvivesAnEngineThatFailsAtAnyCall) {
  Pool pool(1);
  const EngineList local = LocalEngines(pool);
  const Recipe recipe = page_.order().recipe;
  // Lend, Submit and Take for each band.
  for (int calls = 0; calls < 3 * staged_.bands(); ++calls) {
    SCOPED_TRACE(calls);
    stage_.calls_to_live = calls;
    const wire::RemoteEngine remote(Using(worker_, GetParam()));
    int moves = 0;
    const FailoverEngine engine(
        {&remote, &remote, *ChooseEngine(local, "auto", recipe)},
        [&](const Move& move) {
          ++moves;
          EXPECT_EQ(move.error.message,
                    "the daemon refused: struck by the test");
        });
    const uint64_t failed = worker_.Ask().counters.failed_pages;
    PageRun beside(page_, engine_);
    EXPECT_EQ(beside.Go(1), "");
    EXPECT_EQ(RunPage(staged_, engine), "");
    EXPECT_EQ(beside.GoToEnd(), "");
    EXPECT_GE(moves, 1);
    EXPECT_EQ(worker_.Ask().counters.failed_pages,
              failed + static_cast<uint64_t>(moves));
  }
}

// The unsent answer is in the memory of the failing session.
TEST(Worker, EndsWithAPageThatFailsWhileItsAnswerIsBeingSent) {
  const SamplePage wide(65536, 128, 64);
  StagedEngine::Stage stage;
  stage.width = 65536;
  stage.calls_to_live = 3;  // the first band's
  const EngineList engines = StagedEngine::ListOf(stage);
  TestWorker::Setting setting;
  setting.engines = &engines;
  TestWorker worker(setting);
  HostileClient client(worker.Connect(), wide);
  client.Open();
  client.SendInline(0);
  WaitFor(client.fd(), POLLIN);  // the start of a long answer
  client.SendInline(1);
  while (client.Receive()) continue;
  const daemon::Closed closed = worker.WaitForClosed();
  EXPECT_EQ(closed.reason, "struck by the test");
  EXPECT_EQ(closed.counters.failed_pages, 1u);
  EXPECT_EQ(closed.counters.protocol_errors, 0u);
}

TEST(Worker, ServesHundredsOfSessionsOnTwoThreads) {
  constexpr int kSessions = 200;
  const SamplePage page;
  for (const bool ring : {true, false}) {
    TestWorker worker;
    const wire::RemoteEngine engine(Using(worker, ring));
    std::vector<std::unique_ptr<PageRun>> runs;
    for (int i = 0; i < kSessions; ++i) {
      runs.push_back(std::make_unique<PageRun>(page, engine));
    }
    EXPECT_EQ(worker.Ask().connections.size(), size_t{kSessions});
    for (int band = 0; band < page.bands(); ++band) {
      for (const auto& run : runs) ASSERT_EQ(run->Submit(), "");
    }
    for (int band = 0; band < page.bands(); ++band) {
      for (const auto& run : runs) ASSERT_EQ(run->Take(), "");
    }
    const daemon::Report report = worker.Ask();
    EXPECT_EQ(report.counters.failed_pages, 0u);
    EXPECT_EQ(report.counters.rows, 96u * kSessions);
    runs.clear();
    // The memory was kept for the next pages.
    EXPECT_EQ(RunPage(page, engine), "");
    EXPECT_EQ(worker.Ask().connections.size(), size_t{kSessions});
  }
}

void CheckMemory(const SamplePage& page, const SamplePage& large) {
  TestWorker::Setting setting;
  Pool pool(1);
  const EngineList local = LocalEngines(pool);
  const size_t bytes =
      daemon::PageWork::BytesOf(page.open(), false, *local[0]).memory;
  // The second page leaves as much of the half as it takes, the third does not.
  setting.limits.all.memory = 7 * bytes;
  TestWorker worker(setting);
  const wire::RemoteEngine engine(Using(worker, false));
  PageRun first(page, engine);
  EXPECT_EQ(first.Go(1), "");
  EXPECT_EQ(RunPage(large, engine),
            "the daemon refused: " + daemon::Accounts::Refusal().message);
  PageRun second(page, engine);
  EXPECT_EQ(second.Go(1), "");
  EXPECT_NE(RunPage(page, wire::RemoteEngine(Using(worker, false))), "");
  EXPECT_EQ(second.GoToEnd(), "");
  EXPECT_EQ(RunPage(page, wire::RemoteEngine(Using(worker, false))), "");
  EXPECT_EQ(first.GoToEnd(), "");
  const daemon::Report report = worker.Ask();
  EXPECT_EQ(report.page_bytes, 0u);
  EXPECT_EQ(report.counters.failed_pages, 2u);
  EXPECT_EQ(report.counters.pages, 3u);
}

TEST(Worker, RefusesPagesBeyondItsMemory) {
  CheckMemory(SamplePage(), SamplePage(3000));  // more than there is
}

TEST(Worker, ChargesForTheWindowOfAPageThatLooksAhead) {
  const SamplePage best = SamplePage::OfBest();
  CheckMemory(best, SamplePage(3000, 96, 32, best.order().recipe));
  Pool pool(1);
  const EngineList local = LocalEngines(pool);
  const auto bytes = [&](const SamplePage& page) {
    return daemon::PageWork::BytesOf(page.open(), true, *local[0]).memory;
  };
  EXPECT_GT(bytes(best), 2 * bytes(SamplePage()));
}

// A ring belongs to one connection: pixels of others never get into it.
TEST(Worker, ShowsNobodyThePagesOfOthersInAnOldRing) {
  const SamplePage page;
  TestWorker worker;
  HostileClient client(worker.Connect(), page);
  client.SendRing();
  client.Open();
  client.SendBand(client.RingBand(0));
  ASSERT_TRUE(client.Receive());
  client.Close();
  worker.WaitForClosed();
  const auto copy = [](const Mapping& memory) {
    return wire::Bytes(memory.data(), memory.data() + memory.size());
  };
  const wire::Bytes gray = copy(client.ring.gray);
  const wire::Bytes bits = copy(client.ring.bits);
  std::memset(client.ring.gray.data(), 0xee, client.ring.gray.size());

  for (const bool ring : {true, false}) {
    const wire::RemoteEngine engine(Using(worker, ring));
    for (int i = 0; i < 5; ++i) EXPECT_EQ(RunPage(page, engine), "");
  }
  HostileClient other(worker.Connect(), page);
  other.SendRing();
  for (const std::byte byte : copy(other.ring.gray)) {
    ASSERT_EQ(byte, std::byte{0}) << "it was somebody's";
  }
  for (const std::byte byte : copy(other.ring.bits)) {
    ASSERT_EQ(byte, std::byte{0}) << "it was somebody's";
  }
  EXPECT_EQ(copy(client.ring.gray), wire::Bytes(gray.size(), std::byte{0xee}));
  EXPECT_EQ(copy(client.ring.bits), bits);
}

TEST(RemoteSession, HasBandsThatSuitTheWorker) {
  TestWorker::Setting setting;
  setting.band_bytes = 5u << 19;
  TestWorker worker(setting);
  const wire::RemoteEngine engine(worker.options());
  const auto rows_of = [&](int width, int32_t rows_per_band) {
    auto session = engine.Open(
        {*Page::Make(width, 8), Recipe::FloydSteinberg(), {}, rows_per_band});
    EXPECT_TRUE(session.ok());
    return (*session)->Lend()->rows;
  };
  EXPECT_EQ(rows_of(4960, 0), 512);
  EXPECT_EQ(rows_of(100, 0), 1024);
  EXPECT_EQ(rows_of(100'000, 0), 64);
  EXPECT_EQ(rows_of(4960, 33), 33);
}

}  // namespace
}  // namespace halftoned::testing
