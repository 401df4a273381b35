// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a worker shares its time among pages, jobs and clients.

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <latch>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/daemon/worker/hostile_client.h"
#include "tests/daemon/worker/hostile_client_fixture.h"
#include "tests/daemon/worker/test_worker.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {
namespace {

// The long page goes on until the short one is done, or long enough to show
// that they do not take turns.
TEST(Worker, AnswersAShortPageWhileALongOneGoesOn) {
  TestWorker worker;
  const wire::RemoteEngine engine(worker.options());
  constexpr int kBandsAhead = 1000;
  constexpr int kMostBands = 1'000'000;
  std::atomic<int> long_bands = 0;
  std::atomic<bool> short_is_done = false;
  std::atomic<bool> long_has_ended = false;
  const auto go_on = [&] {
    const auto session =
        engine.Open({*Page::Make(2000, 8), Recipe::FloydSteinberg(), {}, 16});
    ASSERT_TRUE(session.ok());
    for (int i = 0; !short_is_done && i < kMostBands; ++i) {
      const auto room = (*session)->Lend();
      ASSERT_TRUE(room.ok());
      std::memset(room->bytes, i, 2000 * 16);
      ASSERT_TRUE((*session)->Submit(16, false).ok());
      ASSERT_TRUE(i < 2 || (*session)->Take().ok());
      long_bands = i;
      long_bands.notify_one();
    }
  };
  std::thread long_page([&] {
    go_on();
    long_has_ended = true;
    long_bands = kMostBands;
    long_bands.notify_one();
  });
  for (int bands = 0; bands < kBandsAhead; bands = long_bands) {
    long_bands.wait(bands);
  }
  EXPECT_EQ(RunPage(SamplePage(2000, 16, 16), engine), "");
  EXPECT_FALSE(long_has_ended);
  short_is_done = true;
  long_page.join();
}

// Records the jobs of the pages that it is to open, and opens none. The first
// waits until the test allows it.
class RefusingEngine : public Engine {
 public:
  struct Stage {
    std::latch has_begun{1};
    std::latch may_go_on{1};
    std::mutex mutex;
    std::vector<uint64_t> jobs;
  };

  explicit RefusingEngine(Stage& stage) : stage_(stage) {}

  std::string_view name() const override { return "refusing"; }
  std::string_view needs() const override { return "a test"; }
  int priority() const override { return 1; }
  Result<void> Probe() const override { return {}; }
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    const std::lock_guard lock(stage_.mutex);
    if (stage_.jobs.empty()) {
      stage_.has_begun.count_down();
      stage_.may_go_on.wait();
    }
    stage_.jobs.push_back(order.job);
    return Unavailable("refused by the test");
  }

 private:
  Stage& stage_;
};

TEST(Worker, ServesChecksFirstAndJobsInTurn) {
  constexpr uint32_t kMany = 1, kFew = 2, kCheck = 3;
  constexpr int kConnections = 30;
  const SamplePage page;
  RefusingEngine::Stage stage;
  EngineList engines;
  engines.push_back(std::make_unique<RefusingEngine>(stage));
  TestWorker::Setting setting;
  setting.engines = &engines;
  TestWorker worker(setting);
  HostileClient first(worker.Connect(), page);
  std::vector<HostileClient> clients;
  for (int i = 0; i < kConnections; ++i) {
    clients.emplace_back(worker.Connect(kMany), page);
  }
  for (int i = 0; i < 2; ++i) clients.emplace_back(worker.Connect(kFew), page);
  clients.emplace_back(worker.Connect(kCheck, true), page);
  // The loop has them all.
  for (HostileClient& client : clients) {
    SendUnknownRecipe(client, 1);
    EXPECT_NE(client.ReceiveFailure(), "");
  }
  first.Open();
  stage.has_begun.wait();
  // It has to find all of them at once.
  for (HostileClient& client : clients) client.Open(2);
  stage.may_go_on.count_down();
  for (HostileClient& client : clients) {
    EXPECT_EQ(client.ReceiveFailure(), "refused by the test");
  }
  const std::lock_guard lock(stage.mutex);
  ASSERT_EQ(stage.jobs.size(), 1u + kConnections + 3);
  EXPECT_EQ(std::vector<uint64_t>(stage.jobs.begin(), stage.jobs.begin() + 6),
            (std::vector<uint64_t>{0, kCheck, kMany, kFew, kMany, kFew}));
}

TEST(Worker, WelcomesClientsWhileItServesOthers) {
  const SamplePage page;
  RefusingEngine::Stage stage;
  EngineList engines;
  engines.push_back(std::make_unique<RefusingEngine>(stage));
  TestWorker::Setting setting;
  setting.engines = &engines;
  TestWorker worker(setting);
  HostileClient first(worker.Connect(), page);
  first.Open();
  stage.has_begun.wait();
  std::vector<HostileClient> clients;
  for (const bool is_check : {false, true}) {
    clients.emplace_back(worker.Connect(1, is_check), page);
    clients.back().Open();
  }
  stage.may_go_on.count_down();
  for (HostileClient& client : clients) {
    EXPECT_EQ(client.ReceiveFailure(), "refused by the test");
  }
}

TEST(WorkerWithLoops, ServesEveryClientAndSumsTheirWork) {
  TestWorker::Setting setting;
  setting.loops = 3;
  TestWorker worker(setting);
  const SamplePage page;
  constexpr int kClients = 7;
  std::vector<std::string> wrong(kClients);
  std::vector<std::thread> clients;
  for (std::string& each : wrong) {
    clients.emplace_back(
        [&] { each = RunPage(page, wire::RemoteEngine(worker.options())); });
  }
  for (std::thread& client : clients) client.join();
  for (const std::string& each : wrong) EXPECT_EQ(each, "");
  daemon::Report report = worker.Ask();
  while (!report.connections.empty()) report = worker.Ask();
  EXPECT_EQ(report.counters.pages, kClients);
  EXPECT_EQ(report.page_bytes, 0u);
}

}  // namespace
}  // namespace halftoned::testing
