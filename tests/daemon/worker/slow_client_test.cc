// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clients that speak slowly, stop, vanish, or do not read their answers.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/daemon/worker/hostile_client_fixture.h"

namespace halftoned::testing {
namespace {

using wire::Bytes;
using wire::FrameType;

// The frames of the page in order, without a ring.
std::vector<Bytes> FramesOf(HostileClient& client) {
  std::vector<Bytes> frames = {
      client.Frame(FrameType::kOpen, 1, Encode(client.page.open()))};
  for (int i = 0; i < client.page.bands(); ++i) {
    frames.push_back(client.Frame(FrameType::kBand, 1,
                                  Encode(client.InlineBand(i)),
                                  client.page.gray(i)));
  }
  return frames;
}

TEST_F(HostileClientTest, IsServedEvenIfItIsVerySlow) {
  const daemon::Closed closed = Do([&](HostileClient& client) {
    for (const Bytes& frame : FramesOf(client)) {
      for (const std::byte& byte : frame) client.Send({&byte, 1});
    }
    for (int i = 0; i < client.page.bands(); ++i) {
      const auto answer = client.Receive();
      ASSERT_TRUE(answer);
      EXPECT_EQ(answer->tail,
                Bytes(client.page.bits(i).begin(), client.page.bits(i).end()));
    }
  });
  EXPECT_EQ(closed.counters.pages, 1u);
  EXPECT_EQ(closed.reason, "");
}

TEST_F(HostileClientTest, CanVanishAtAnyByteOfAnyFrame) {
  for (size_t frames = 0; frames <= 4; ++frames) {
    for (const size_t bytes : {size_t{0}, size_t{1}, size_t{40}, size_t{300}}) {
      for (const bool by_half : {false, true}) {
        SCOPED_TRACE(frames * 10000 + bytes);
        const daemon::Closed closed = Do([&](HostileClient& client) {
          const auto all = FramesOf(client);
          for (size_t i = 0; i < frames; ++i) client.Send(all[i]);
          if (frames < all.size()) {
            client.Send(wire::View(all[frames]).first(bytes));
          }
          if (!by_half) return;
          ::shutdown(client.fd(), SHUT_WR);
          while (client.Receive()) continue;  // until the worker ends it too
        });
        EXPECT_EQ(closed.counters.protocol_errors, 0u) << closed.reason;
        EXPECT_EQ(closed.counters.pages + closed.counters.cancelled_pages,
                  frames > 0 ? 1u : 0u);
      }
    }
  }
}

TEST_F(HostileClientTest, CanReadNoAnswers) {
  // Answers of 128 KiB: the socket has no room for all of them.
  const SamplePage wide(65536, 96, 16);
  const daemon::Closed closed = Do([&](HostileClient& hostile) {
    HostileClient client(worker_.Connect(), wide);
    client.Open();
    for (int i = 0; i < 5; ++i) {
      // It may send more than may be in flight, which ends it.
      if (!client.SendFrame(FrameType::kBand, 1, Encode(client.InlineBand(i)),
                            client.page.gray(i))) {
        break;
      }
    }
    // Another client is served meanwhile.
    hostile.Open();
    hostile.SendInline(0);
    EXPECT_TRUE(hostile.Receive());
    client.Close();
    worker_.WaitForClosed();
  });
  EXPECT_EQ(closed.counters.bands, 1u);
}

// More replies than a socket has room for.
constexpr uint32_t kManyReplies = 5000;

TEST(ImpatientWorker, EndsClientsThatDoNotReadTheirReplies) {
  TestWorker::Setting setting;
  setting.frame_patience = std::chrono::milliseconds(50);
  TestWorker worker(setting);
  const SamplePage page;
  HostileClient client(worker.Connect(), page);
  client.SendRing();
  for (uint32_t number = 1; number <= kManyReplies; ++number) {
    SendUnknownRecipe(client, number);
  }
  const daemon::Report report = worker.Ask();
  EXPECT_LT(report.counters.failed_pages, kManyReplies);
  ASSERT_EQ(report.connections.size(), 0u);
  const daemon::Closed closed = worker.WaitForClosed();
  EXPECT_EQ(closed.reason, "the client does not read its replies");
  EXPECT_EQ(closed.counters.protocol_errors, 1u);
}

TEST_F(HostileClientTest, CanReadItsRepliesLate) {
  const daemon::Closed closed = Do([&](HostileClient& client) {
    client.SendRing();
    std::atomic<uint32_t> sent = 0;
    std::thread sender([&] {
      while (sent < kManyReplies) {
        SendUnknownRecipe(client, sent + 1);
        ++sent;
        sent.notify_one();
      }
      client.Open(kManyReplies + 1);
      client.SendBand(client.RingBand(0), {}, kManyReplies + 1);
    });
    for (uint32_t now = 0; now < 100; now = sent) sent.wait(now);
    for (uint32_t number = 1; number <= kManyReplies; ++number) {
      const auto reply = client.Receive();
      EXPECT_TRUE(reply && reply->header.type == FrameType::kFailed &&
                  reply->header.page == number);
    }
    const auto answer = client.Receive();
    EXPECT_TRUE(answer && answer->header.type == FrameType::kAnswer);
    sender.join();
  });
  EXPECT_EQ(closed.counters.failed_pages, kManyReplies);
}

TEST(PatientWorker, BlamesNobodyForTimeInWhichItWasStopped) {
  daemon::Shop shop;
  shop.frame_patience = std::chrono::seconds(10);
  auto ends = MakeSocketPair(SOCK_STREAM);
  ASSERT_TRUE(ends.ok());
  daemon::Client client(shop, 1, std::move(ends->first), [] {});
  RawPeer peer(std::move(ends->second));
  ASSERT_TRUE(peer.Send(Bytes(10)));
  ASSERT_TRUE(client.Serve().ok());
  const auto now = daemon::Clock::now();
  const std::chrono::seconds stopped(3600);
  EXPECT_TRUE(client.MindTime(now + std::chrono::seconds(9)).ok());
  client.Forgive(stopped, now + stopped);
  EXPECT_TRUE(client.MindTime(now + stopped + std::chrono::seconds(9)).ok());
  EXPECT_FALSE(client.MindTime(now + stopped + std::chrono::seconds(11)).ok());
  EXPECT_EQ(client.counters().protocol_errors, 1u);
}

TEST(ImpatientWorker, EndsClientsThatStopInMidFrame) {
  TestWorker::Setting setting;
  setting.frame_patience = std::chrono::milliseconds(50);
  TestWorker worker(setting);
  const SamplePage page;
  // Pauses between frames have no deadline.
  RawPeer idle = worker.Connect();
  HostileClient sample(worker.Connect(), page);
  const auto frames = FramesOf(sample);
  const std::vector<wire::View> parts = {wire::View(frames[0]).first(1),
                                         wire::View(frames[0]).first(31),
                                         wire::View(frames[0]).first(5000)};
  for (const wire::View part : parts) {
    HostileClient client(worker.Connect(), page);
    client.Send(part);
    EXPECT_EQ(client.ReceiveFailure(),
              "the rest of a frame did not arrive in time");
    const daemon::Closed closed = worker.WaitForClosed();
    EXPECT_EQ(closed.reason, "the rest of a frame did not arrive in time");
    EXPECT_EQ(closed.counters.protocol_errors, 1u);
  }
  HostileClient client(worker.Connect(), page);
  client.Send(frames[0]);
  client.Send(wire::View(frames[1]).first(2000));  // in the tail
  EXPECT_EQ(client.ReceiveFailure(),
            "the rest of a frame did not arrive in time");
  EXPECT_EQ(worker.WaitForClosed().counters.protocol_errors, 1u);
  EXPECT_EQ(worker.Ask().connections.size(), 2u);
}

}  // namespace
}  // namespace halftoned::testing
