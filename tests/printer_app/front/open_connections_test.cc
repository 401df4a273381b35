// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/open_connections.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "printer_app/front/callers/network_counts.h"
#include "printer_app/front/client/listeners.h"
#include "printer_app/front/client/reused_threads.h"

namespace halftoned {
namespace {

using Rank = OpenConnections::Rank;

Origin At(const std::string& address) {
  http_addr_t found = {};
  if (inet_pton(AF_INET6, address.c_str(), &found.ipv6.sin6_addr) == 1) {
    found.ipv6.sin6_family = AF_INET6;
  } else if (inet_pton(AF_INET, address.c_str(), &found.ipv4.sin_addr) == 1) {
    found.ipv4.sin_family = AF_INET;
  } else {
    return OriginOf(address);  // a user
  }
  return OriginOf(found);
}

// Both ends of a connection, and its entry.
class Connected {
 public:
  Connected() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    ours_ = Descriptor(ends[0]);
    theirs_ = Descriptor(ends[1]);
    wait_.emplace(ours_.get(), 30, slots(), slots());
  }

  ClientWait& wait() { return *wait_; }
  // The other end reads nothing meanwhile.
  void FillSocket() {
    const std::vector<char> room(64 << 10);
    while (send(ours_.get(), room.data(), room.size(), MSG_DONTWAIT) > 0) {
    }
  }
  bool is_dropped() const {
    pollfd end = {theirs_.get(), POLLRDHUP, 0};
    return poll(&end, 1, 0) != 0;
  }
  // One for each network.
  static WorkSlots& slots() {
    static WorkSlots slots(1, 8);
    return slots;
  }
  OpenConnections::Entry* entry = nullptr;

 private:
  Descriptor ours_, theirs_;
  std::optional<ClientWait> wait_;
};

class OpenConnectionsTest : public testing::Test {
 protected:
  // Returns a connection that waits for a request; null if it is refused.
  Connected* Come(const std::string& from, Rank rank = Rank::kUser) {
    Connected& come = connected_.emplace_back();
    come.wait().BeginRequest();
    come.entry = table_.Enter(come.wait(), At(from), rank);
    if (come.entry) return &come;
    connected_.pop_back();
    return nullptr;
  }
  std::vector<Connected*> Come(int count, const std::string& from,
                               Rank rank = Rank::kUser) {
    std::vector<Connected*> all;
    for (int i = 0; i < count; ++i) {
      all.push_back(Come(from, rank));
      EXPECT_NE(all.back(), nullptr) << from;
    }
    return all;
  }
  int Dropped() const {
    int dropped = 0;
    for (const Connected& each : connected_) dropped += each.is_dropped();
    return dropped;
  }

  static constexpr int kAll = 12, kOfNetwork = 4, kKept = 2, kEnding = 3;
  OpenConnections table_{{.all = kAll,
                          .of_network = kOfNetwork,
                          .kept = kKept,
                          .ending = kEnding}};
  std::list<Connected> connected_;
};

TEST_F(OpenConnectionsTest, AUserHasNotAll) {
  Come(kOfNetwork, "uid 1");
  EXPECT_EQ(Come("uid 1"), nullptr);
  EXPECT_NE(Come("uid 2"), nullptr);
  Come(kAll - kOfNetwork - 3, "uid 0", Rank::kTrusted);
  EXPECT_EQ(Dropped(), 0);
}

TEST_F(OpenConnectionsTest, ANetworkThatTakesAllMakesRoomForOthers) {
  const auto first = Come(4, "2001:db8:0:1::1");
  Come(4, "2001:db8:0:2::1");
  Come(2, "2001:db8:0:3::1");
  for (const char* other : {"2001:db8:1::1", "192.0.2.1", "uid 1"}) {
    const int before = Dropped();
    EXPECT_NE(Come(other), nullptr) << other;
    EXPECT_EQ(Dropped(), before + 1) << other;
  }
  EXPECT_TRUE(first[0]->is_dropped());  // the oldest one
}

TEST_F(OpenConnectionsTest, NetworksOfASiteCountTogether) {
  const Connected* honest = Come("192.0.2.1");
  for (int i = 0; i < kAll - kKept - 1; ++i) {
    ASSERT_NE(Come("2001:db8:0:" + std::to_string(i) + "::1"), nullptr);
  }
  // Each is the first of its network, and a connection of its site is dropped.
  const Connected* late = Come("192.0.2.2");
  EXPECT_NE(Come("2001:db8:0:98::1"), nullptr);
  EXPECT_NE(Come("2001:db8:0:99::1"), nullptr);
  EXPECT_EQ(Dropped(), kEnding);
  EXPECT_FALSE(honest->is_dropped());
  EXPECT_FALSE(late->is_dropped());
}

TEST_F(OpenConnectionsTest, AddressesOfANetworkHaveAsManyAsOneUser) {
  Come(1, "fe80::1");
  const auto many = Come(3, "fe80::2");
  EXPECT_EQ(Come("fe80::2"), nullptr);
  const auto other = Come(4, "2001:db8::1");
  // Others in the network get in, at its own expense.
  EXPECT_NE(Come("fe80::3"), nullptr);
  EXPECT_TRUE(many[0]->is_dropped());
  EXPECT_NE(Come("fe80::4"), nullptr);
  EXPECT_TRUE(many[1]->is_dropped());
  EXPECT_EQ(Come("fe80::4"), nullptr);
  EXPECT_EQ(Dropped(), 2);
  for (const Connected* each : other) EXPECT_FALSE(each->is_dropped());
}

TEST_F(OpenConnectionsTest, NobodyDropsOthersToHaveMore) {
  Come(3, "192.0.2.1");
  Come(3, "192.0.2.2");
  Come(4, "192.0.2.3");
  for (const char* each : {"192.0.2.1", "192.0.2.2", "192.0.2.3"}) {
    EXPECT_EQ(Come(each), nullptr) << each;
  }
  EXPECT_EQ(Dropped(), 0);
}

TEST_F(OpenConnectionsTest, WorkIsNotDropped) {
  const auto all = Come(4, "192.0.2.1");
  for (const char* each : {"192.0.2.2", "192.0.2.3", "192.0.2.4"}) {
    Come(2, each);
  }
  EXPECT_TRUE(all[0]->wait().StartWork());
  EXPECT_TRUE(all[1]->wait().StartWork());
  all[1]->wait().StartAnswer();
  Come(1, "uid 1");
  EXPECT_TRUE(all[2]->is_dropped());
  EXPECT_EQ(Dropped(), 1);
}

TEST_F(OpenConnectionsTest, AClientThatDoesNotReadIsDropped) {
  const auto all = Come(4, "uid 1");
  for (const char* each : {"uid 2", "uid 3", "uid 6"}) Come(2, each);
  for (Connected* each : all) EXPECT_TRUE(each->wait().StartWork());
  for (Connected* each : all) each->wait().StartAnswer();
  all[1]->FillSocket();
  Come(1, "uid 4");
  EXPECT_TRUE(all[1]->is_dropped());
  // The answer is sent, and the client does not close the connection.
  all[2]->wait().WaitForMore();
  Come(1, "uid 5");
  EXPECT_TRUE(all[2]->is_dropped());
  EXPECT_EQ(Dropped(), 2);
}

TEST_F(OpenConnectionsTest, AClientThatSendsStaysLongerThanASilentOne) {
  const auto all = Come(4, "uid 1");
  for (const char* each : {"uid 2", "uid 3", "uid 6"}) Come(2, each);
  all[0]->wait().TakeMore();
  // The job of a request has begun, and the rest of the request is still to
  // come.
  EXPECT_TRUE(all[1]->wait().StartWork());
  all[1]->wait().WaitForMore();
  Come(1, "uid 4");
  EXPECT_TRUE(all[2]->is_dropped());
  Come(1, "uid 5");
  EXPECT_EQ(Dropped(), 2);
  EXPECT_FALSE(all[0]->is_dropped());
  EXPECT_FALSE(all[1]->is_dropped());
}

TEST_F(OpenConnectionsTest, NothingIsDoneForADroppedConnection) {
  const auto all = Come(4, "uid 1");
  Come(4, "uid 2");
  Come(2, "uid 3");
  Come(1, "uid 4");
  ASSERT_TRUE(all[0]->is_dropped());
  EXPECT_FALSE(all[0]->wait().StartWork());
  all[0]->wait().StartAnswer();
  all[0]->wait().WaitForMore();
  all[0]->wait().TakeMore();
  EXPECT_FALSE(all[0]->wait().BeginRequest());
}

TEST_F(OpenConnectionsTest, FewAreEndingAtATime) {
  for (const char* user : {"uid 1", "uid 2"}) Come(4, user);
  const auto last = Come(2, "uid 3");
  Come(1, "uid 4");
  Come(1, "uid 5");
  Come(1, "uid 6");
  EXPECT_EQ(Dropped(), kEnding);
  EXPECT_EQ(Come("uid 7"), nullptr);
  for (Connected& each : connected_) {
    if (!each.is_dropped()) continue;
    table_.Leave(each.entry);
    break;
  }
  EXPECT_NE(Come("uid 7"), nullptr);
  EXPECT_EQ(Come("uid 8"), nullptr);
}

TEST_F(OpenConnectionsTest, RootAndAdministratorsGetInWhateverOthersDo) {
  Come(4, "uid 1");
  Come(4, "uid 2");
  Come(2, "uid 3");
  Come(2, "uid 9", Rank::kAdmin);
  // All are taken; one administrator has the reserved ones.
  EXPECT_NE(Come("uid 0", Rank::kTrusted), nullptr);
  EXPECT_NE(Come("uid 8", Rank::kAdmin), nullptr);
  EXPECT_EQ(Dropped(), 2);
}

TEST_F(OpenConnectionsTest, RootDropsUsersAndTheyDoNotDropRoot) {
  Come(4, "uid 1");
  const auto roots = Come(kAll - kOfNetwork - 1, "uid 0", Rank::kTrusted);
  Come(2, "uid 2");
  EXPECT_EQ(Come("uid 2"), nullptr);
  EXPECT_NE(Come("uid 0", Rank::kTrusted), nullptr);
  EXPECT_EQ(Come("uid 0", Rank::kTrusted), nullptr);  // root's limit
  EXPECT_EQ(Dropped(), 2);
  for (const Connected* each : roots) EXPECT_FALSE(each->is_dropped());
}

TEST(NetworkCounts, LeaveRoomForOtherSites) {
  NetworkCounts counts(8, 128);
  const auto enter = [&](const std::string& site) {
    int all = 0;
    for (int i = 0; i < 200; ++i) {
      all +=
          counts.Enter("2001:db8:" + site + ":" + std::to_string(i) + "::/64");
    }
    return all;
  };
  EXPECT_EQ(enter("1"), 64);
  EXPECT_EQ(enter("1"), 0);
  EXPECT_EQ(enter("2"), 32);
  EXPECT_TRUE(counts.Enter("192.0.2.1"));
  counts.Leave("2001:db8:1:0::/64");
  EXPECT_EQ(enter("1"), 0);  // others have come meanwhile
}

TEST(NetworkCounts, LeaveRoomForOtherNetworks) {
  NetworkCounts counts(16, 128);
  int most = 0;
  while (counts.Enter("0")) ++most;
  EXPECT_EQ(most, 16);
  for (int i = 1; i < 20; ++i) {
    while (counts.Enter(std::to_string(i))) {
    }
  }
  EXPECT_TRUE(counts.Enter("other"));
  counts.Leave("0");
  EXPECT_TRUE(counts.Enter("next"));
}

// Its request comes when its time is over, or another client needs its place.
TEST(ClientWait, IsEitherDroppedOrWorks) {
  for (int round = 0; round < 400; ++round) {
    Connected one;
    ASSERT_TRUE(one.wait().BeginRequest());
    one.wait().WaitFor(0);
    bool works = false;
    std::thread client([&] {
      one.wait().WaitFor(60);
      works = one.wait().StartWork();
    });
    const auto now = ClientWait::Clock::now();
    if (round % 2 == 0) one.wait().DropIfOverdue(now);
    if (round % 2 == 1) one.wait().DropIfItWaits(now);
    client.join();
    EXPECT_NE(works, one.is_dropped());
  }
}

TEST(ClientWait, ARequestThatWaitsForASlotIsDropped) {
  Connected first, second, third, other;
  for (Connected* each : {&first, &second, &third, &other}) {
    ASSERT_TRUE(each->wait().BeginRequest());
    each->wait().UseSlotsOf(each == &other ? "192.0.2.2" : "192.0.2.1");
  }
  const auto wait_for_slot = [](Connected& one, bool gets_it) {
    std::thread waiting(
        [&one, gets_it] { EXPECT_EQ(one.wait().StartWork(), gets_it); });
    while (Connected::slots().waiting() == 0) std::this_thread::yield();
    return waiting;
  };
  EXPECT_TRUE(first.wait().StartWork());
  EXPECT_TRUE(first.wait().StartWork());  // needs no second one
  EXPECT_TRUE(other.wait().StartWork());
  std::thread waiting = wait_for_slot(second, false);
  const auto now = ClientWait::Clock::now();
  EXPECT_FALSE(first.wait().DropIfItWaits(now));
  EXPECT_TRUE(second.wait().DropIfItWaits(now));
  waiting.join();
  waiting = wait_for_slot(third, true);
  first.wait().StartAnswer();
  waiting.join();
}

TEST(Origin, NetworksAreOfIpv6) {
  for (const char* place : {"2001:db8:1:2:3:4:5:6", "192.0.2.1", "uid 1"}) {
    EXPECT_EQ(SiteOf(At(place).network()), At(place).levels.front());
  }
  EXPECT_EQ(SiteOf("uid 131073"), OriginOf(131072).levels.front());
  EXPECT_EQ(At("2001:db8:1:2:3:4:5:6").network(), "2001:db8:1:2::/64");
  EXPECT_EQ(At("2001:db8:1:2:3:4:5:6").levels[0], "2001:db8:1::/48");
  EXPECT_EQ(At("192.0.2.1").network(), "192.0.2.1");
  EXPECT_EQ(At("uid 1").network(), "uid 1");
}

TEST(ClientWait, IsOverdueOnceTooMuchIsRead) {
  int port = 0;
  const auto listeners = ListenAtHost("127.0.0.1", port);
  ASSERT_TRUE(listeners.ok());
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const Descriptor theirs(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(connect(theirs.get(), reinterpret_cast<sockaddr*>(&address),
                    sizeof(address)),
            0);
  const Descriptor ours(accept(listeners->front().get(), nullptr, nullptr));
  ClientWait wait(ours.get(), 30, Connected::slots(), Connected::slots());
  const auto is_overdue = [&] {
    return wait.IsOverdue(ClientWait::Clock::now());
  };
  EXPECT_TRUE(wait.ReadAtMost(4));
  char room[5] = {};
  ASSERT_EQ(send(theirs.get(), room, sizeof(room), 0), 5);
  ASSERT_EQ(recv(ours.get(), room, sizeof(room), MSG_PEEK | MSG_WAITALL), 5);
  EXPECT_FALSE(is_overdue());
  ASSERT_EQ(recv(ours.get(), room, sizeof(room), 0), 5);
  EXPECT_TRUE(is_overdue());
  wait.ReadWithoutLimit();
  EXPECT_FALSE(is_overdue());
  Connected unix_socket;
  EXPECT_FALSE(unix_socket.wait().ReadAtMost(4));
}

TEST(ReusedThreads, RunOneTaskAfterAnother) {
  ReusedThreads threads;
  std::set<pid_t> seen;
  bool is_reused = false;
  for (int i = 0; i < 1000 && !is_reused; ++i) {
    std::atomic<pid_t> thread = 0;
    ASSERT_TRUE(threads.Run([&] {
      thread = gettid();
      thread.notify_one();
    }));
    thread.wait(0);
    is_reused = !seen.insert(thread).second;
  }
  EXPECT_TRUE(is_reused);
}

}  // namespace
}  // namespace halftoned
