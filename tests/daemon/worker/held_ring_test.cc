// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rings that an engine must hold, which takes long: no other client waits for
// it, and they are let go when their clients are idle.

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "tests/daemon/worker/hostile_client.h"
#include "tests/daemon/worker/test_worker.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {
namespace {

// The best engine of this machine, as one that must hold rings.
class HoldingEngine : public Engine {
 public:
  struct Stage {
    std::atomic<bool> is_open = true;  // otherwise no hold ends
    std::atomic<bool> fails = false;
    std::atomic<int> begun = 0;
    std::atomic<int> held = 0;
  };

  explicit HoldingEngine(Stage& stage) : stage_(stage) {}

  std::string_view name() const override { return "holding"; }
  std::string_view needs() const override { return "a test"; }
  int priority() const override { return 1; }
  Result<void> Probe() const override { return {}; }
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    EXPECT_TRUE(!order.memory || stage_.held > 0);
    HALFTONED_TRY_ASSIGN(const Engine* best,
                         ChooseEngine(engines_, "auto", order.recipe));
    return best->Open(order);
  }
  bool needs_hold() const override { return true; }
  Result<std::shared_ptr<void>> Hold(std::span<std::byte>,
                                     bool) const override {
    ++stage_.begun;
    stage_.is_open.wait(false);
    if (stage_.fails) return Unavailable("cannot be held");
    ++stage_.held;
    return std::shared_ptr<void>(
        &stage_, [](void* stage) { --static_cast<Stage*>(stage)->held; });
  }

 private:
  Stage& stage_;
  mutable Pool pool_{1};
  const EngineList engines_ = LocalEngines(pool_);
};

class HeldRing : public ::testing::Test {
 protected:
  explicit HeldRing(std::chrono::milliseconds page_idle = std::chrono::hours(1))
      : worker_(Setting(page_idle)) {}

  TestWorker::Setting Setting(std::chrono::milliseconds page_idle) {
    engines_.push_back(std::make_unique<HoldingEngine>(stage_));
    TestWorker::Setting setting;
    setting.engines = &engines_;
    setting.page_idle = page_idle;
    return setting;
  }
  // The hold of a client that has opened a page begins, and does not end.
  void BeginHold(HostileClient& client) {
    stage_.is_open = false;
    client.SendRing();
    client.Open();
    client.SendBand(client.RingBand(0));
    while (stage_.begun == 0) ::poll(nullptr, 0, 1);
  }
  void EndHold() {
    stage_.is_open = true;
    stage_.is_open.notify_all();
  }
  void AwaitHeld(int count) {
    while (stage_.held != count) ::poll(nullptr, 0, 1);
  }
  std::string RunWithoutRing() {
    wire::RemoteOptions options = worker_.options();
    options.use_ring = false;
    return RunPage(page_, wire::RemoteEngine(options));
  }

  const SamplePage page_;
  HoldingEngine::Stage stage_;
  EngineList engines_;
  TestWorker worker_;
};

TEST_F(HeldRing, DoesNotHoldUpOtherClients) {
  HostileClient client(worker_.Connect(), page_);
  BeginHold(client);
  EXPECT_EQ(RunWithoutRing(), "");
  EndHold();
  const auto answer = client.Receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->header.type, wire::FrameType::kAnswer);
}

TEST_F(HeldRing, EndsWithAClientThatHasLeft) {
  {
    HostileClient client(worker_.Connect(), page_);
    BeginHold(client);
  }
  EXPECT_EQ(RunWithoutRing(), "");
  EndHold();
  daemon::Closed closed = worker_.WaitForClosed();
  while (closed.counters.pages == 1) closed = worker_.WaitForClosed();
  EXPECT_EQ(closed.counters.cancelled_pages, 1u);
  AwaitHeld(0);
  while (worker_.Ask().page_bytes > 0) ::poll(nullptr, 0, 1);
}

TEST_F(HeldRing, OutlivesAWorkerThatIsToldToLeave) {
  HostileClient client(worker_.Connect(), page_);
  BeginHold(client);
  worker_.Drain();
  EndHold();
  for (int i = 0; i < page_.bands(); ++i) {
    if (i > 0) client.SendBand(client.RingBand(i));
    const auto answer = client.Receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->header.type, wire::FrameType::kAnswer);
  }
  AwaitHeld(0);
}

TEST_F(HeldRing, FailsItsPageIfItCannotBeHeldAndIsTriedAgain) {
  HostileClient client(worker_.Connect(), page_);
  stage_.fails = true;
  client.SendRing();
  client.Open(1);
  EXPECT_EQ(client.ReceiveFailure(), "cannot be held");
  stage_.fails = false;
  client.Open(2);
  client.SendBand(client.RingBand(0), {}, 2);
  const auto answer = client.Receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->header.type, wire::FrameType::kAnswer);
}

class IdleRing : public HeldRing {
 protected:
  IdleRing() : HeldRing(std::chrono::milliseconds(20)) {}
};

TEST_F(IdleRing, IsReleasedAndHeldAgainForTheNextPage) {
  HostileClient client(worker_.Connect(), page_);
  client.SendRing();
  uint32_t number = 0;
  for (int pages = 0; pages < 3;) {
    client.Open(++number);
    client.SendBand({page_.rows_per_band(), true, 0, 0, 0}, {}, number);
    const auto reply = client.Receive();
    ASSERT_TRUE(reply);
    // The page may have been idle for too long, too.
    if (reply->header.type == wire::FrameType::kEvicted) continue;
    EXPECT_EQ(reply->header.type, wire::FrameType::kAnswer);
    ++pages;
    AwaitHeld(0);
  }
  client.Open(++number);
  const auto reply = client.Receive();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->header.type, wire::FrameType::kEvicted);
  AwaitHeld(0);
  EXPECT_GE(stage_.begun, 2 * 4);
}

TEST(PinnedRing, IsChargedToItsJob) {
  const SamplePage page;
  HoldingEngine::Stage stage;
  EngineList engines;
  engines.push_back(std::make_unique<HoldingEngine>(stage));
  const wire::Ring sizes = [&] {
    auto [ours, theirs] = std::move(*MakeSocketPair(SOCK_STREAM));
    return HostileClient(RawPeer(std::move(ours)), page).RingSizes();
  }();
  TestWorker::Setting setting;
  setting.engines = &engines;
  const size_t bytes = sizes.gray_bytes + sizes.bits_bytes;
  // Room for the rings of two jobs, and for one of a job.
  setting.limits = {.all = {.memory = 6 * bytes}, .connections = 6};
  TestWorker worker(setting);
  const auto open = [&](uint32_t job) {
    auto client = std::make_unique<HostileClient>(worker.Connect(job), page);
    client->SendRing();
    client->Open();
    client->SendBand(client->RingBand(0));
    return client;
  };
  const auto answered = [](HostileClient& client) {
    const auto reply = client.Receive();
    return reply && reply->header.type == wire::FrameType::kAnswer;
  };
  const auto first = open(1);
  EXPECT_TRUE(answered(*first));
  const size_t held = worker.Ask().page_bytes;
  EXPECT_GE(held, bytes);
  EXPECT_EQ(open(1)->ReceiveFailure(), daemon::Accounts::Refusal().message);
  const auto second = open(2);
  EXPECT_TRUE(answered(*second));
}

}  // namespace
}  // namespace halftoned::testing
