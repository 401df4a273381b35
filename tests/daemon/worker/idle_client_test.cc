// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clients that keep a place without using it: when they have to leave.

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <memory>

#include "base/unix_socket.h"
#include "daemon/worker/clients/worker_client.h"
#include "tests/daemon/worker/hostile_client.h"
#include "tests/daemon/worker/staged_engine.h"

namespace halftoned::testing {
namespace {

using daemon::Clock;
using std::chrono::seconds;

constexpr int kIdleWidth = 333;

// A client of a worker, which the test serves itself.
class IdleClient : public ::testing::Test {
 protected:
  IdleClient() {
    stage_.width = kIdleWidth;
    shop_.engines = &engines_;
    shop_.page_idle = seconds(60);
    shop_.frame_patience = seconds(10);
  }

  HostileClient Connect(const SamplePage& page) {
    auto ends = MakeSocketPair(SOCK_STREAM);
    if (!ends.ok()) std::abort();
    client_ = std::make_unique<daemon::Client>(shop_, 1, std::move(ends->first),
                                               [] {});
    HostileClient peer(RawPeer(std::move(ends->second)), page);
    Serve();
    EXPECT_TRUE(peer.Receive());
    return peer;
  }
  // Until nothing is to be done.
  void Serve() {
    for (;;) {
      const auto more = client_->Serve();
      ASSERT_TRUE(more.ok()) << more.error().message;
      if (!*more) return;
    }
  }
  void ServeUntilAnswered(uint64_t bands) {
    while (client_->counters().bands < bands) {
      ASSERT_NO_FATAL_FAILURE(Serve());
      ::poll(nullptr, 0, 1);
    }
  }

  const SamplePage page_;
  const SamplePage staged_{kIdleWidth};
  StagedEngine::Stage stage_;
  const EngineList engines_ = StagedEngine::ListOf(stage_);
  daemon::Shop shop_;
  std::unique_ptr<daemon::Client> client_;
};

TEST_F(IdleClient, BeginsNothingMoreOnceItIsEvicted) {
  HostileClient peer = Connect(page_);
  peer.Open();
  peer.SendInline(0);
  ServeUntilAnswered(1);
  EXPECT_TRUE(peer.Receive());
  peer.SendInline(1);
  client_->Dismiss(Clock::now());
  EXPECT_TRUE(client_->leaves());
  Serve();
  EXPECT_TRUE(client_->leaves());
  EXPECT_EQ(client_->counters().bands, 1u);
  (void)client_->Depart();
  const auto evicted = peer.Receive();
  ASSERT_TRUE(evicted);
  EXPECT_EQ(evicted->header.type, wire::FrameType::kEvicted);
}

TEST_F(IdleClient, GetsItsBandsInFlightWhenItIsEvicted) {
  stage_.is_open = false;
  HostileClient peer = Connect(staged_);
  peer.Open();
  peer.SendInline(0);
  // The rest of a band that has begun is received, too.
  const wire::Bytes second = peer.Frame(
      wire::FrameType::kBand, 1, Encode(peer.InlineBand(1)), staged_.gray(1));
  peer.Send(wire::View(second).first(second.size() - 1));
  Serve();
  client_->Dismiss(Clock::now());
  peer.Send(wire::View(second).last(1));
  peer.SendInline(2);
  Serve();
  EXPECT_FALSE(client_->leaves());
  stage_.is_open = true;
  ServeUntilAnswered(2);
  EXPECT_TRUE(client_->leaves());
}

TEST_F(IdleClient, LeavesSoonAfterEvictionWhateverIsInFlight) {
  stage_.is_open = false;
  HostileClient peer = Connect(staged_);
  peer.Open();
  peer.SendInline(0);
  Serve();
  const auto now = Clock::now();
  client_->Dismiss(now);
  EXPECT_FALSE(client_->leaves());
  EXPECT_EQ(client_->deadline(), now + seconds(10));
  EXPECT_TRUE(client_->MindTime(now + seconds(9)).ok());
  EXPECT_FALSE(client_->MindTime(now + seconds(10)).ok());
  EXPECT_EQ(peer.ReceiveFailure(),
            "this idle connection was evicted to make room for others");
}

// It would be found ready all the time.
TEST_F(IdleClient, IsNotWaitedForOnceItIsEvictedAndHasHungUp) {
  stage_.is_open = false;
  HostileClient peer = Connect(staged_);
  peer.Open();
  peer.SendInline(0);
  Serve();
  EXPECT_NE(client_->fd(), -1);
  client_->Dismiss(Clock::now());
  EXPECT_EQ(client_->fd(), -1);
}

TEST_F(IdleClient, IsIdleWhileItDoesNotReadItsAnswers) {
  auto board = daemon::Board::Make();
  ASSERT_TRUE(board.ok());
  shop_.board = std::make_unique<daemon::Board>(std::move(*board));
  // Answers of 128 KiB: the socket has no room for all of them.
  const SamplePage wide(65536, 48, 16);
  HostileClient peer = Connect(wide);
  peer.SendRing();
  peer.Open();
  for (int band = 0; band < wide.bands(); ++band) {
    peer.SendBand(peer.RingBand(band));
  }
  const auto noted = [&] { return shop_.board->StateOf({1, 0}); };
  while (!(client_->events() & POLLOUT)) {
    Serve();
    ::poll(nullptr, 0, 1);
  }
  const uint64_t answered = client_->counters().bands;
  EXPECT_LT(answered, static_cast<uint64_t>(wide.bands()));
  // Its death would still be charged to it.
  EXPECT_TRUE(noted() && noted()->is_at_work && !noted()->keeps_place);
  const auto now = Clock::now();
  EXPECT_TRUE(client_->MindTime(now + seconds(58)).ok());
  const auto overdue = client_->MindTime(now + seconds(61));
  ASSERT_FALSE(overdue.ok());
  EXPECT_EQ(overdue.error().message, "the client does not read its results");
  EXPECT_EQ(client_->counters().protocol_errors, 0u);
  // It may read them, and go on.
  while (client_->events() & POLLOUT) {
    std::byte some[4096];
    ASSERT_TRUE(peer.ReceiveBytes(some));
    Serve();
  }
  ServeUntilAnswered(answered + 1);
  client_->Dismiss(Clock::now());
  EXPECT_TRUE(client_->leaves());
}

TEST_F(IdleClient, IsIdleIfItSendsNoRows) {
  HostileClient peer = Connect(page_);
  peer.Open(1);
  for (const int band : {0, 1, 2}) peer.SendInline(band, 1);
  ServeUntilAnswered(3);
  peer.Open(2);
  peer.SendInline(0, 2);
  ServeUntilAnswered(4);
  const auto deadline = client_->deadline();
  ASSERT_TRUE(deadline);
  while (Clock::now() + seconds(60) <= *deadline) ::poll(nullptr, 0, 1);
  peer.SendInline(0, 1);  // of a page that is over
  Serve();
  EXPECT_EQ(client_->deadline(), deadline);
  peer.SendInline(1, 2);
  ServeUntilAnswered(5);
  EXPECT_GT(client_->deadline(), deadline);
}

// Its worker has slept for an hour when it comes.
TEST_F(IdleClient, IsNotExcusedForTimeBeforeItConnected) {
  HostileClient peer = Connect(page_);
  peer.Send(wire::Bytes(10));
  Serve();
  const auto now = Clock::now();
  client_->Forgive(std::chrono::hours(1), now);
  EXPECT_LT(client_->Describe(now).idle_ms, 60'000u);
  EXPECT_EQ(client_->Describe(now - seconds(1)).idle_ms, 0u);
  EXPECT_TRUE(client_->MindTime(now + seconds(9)).ok());
  EXPECT_FALSE(client_->MindTime(now + seconds(10)).ok());
}

}  // namespace
}  // namespace halftoned::testing
