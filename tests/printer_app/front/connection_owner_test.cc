// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/connection_owner.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/descriptor.h"

namespace {
bool has_netlink = true;
std::function<void()> before_question;  // to the kernel, once
}  // namespace

// Stands before the C library's: the system may have no netlink for us.
extern "C" int socket(int family, int type, int protocol) noexcept {
  if (family == AF_NETLINK) {
    if (before_question) std::exchange(before_question, nullptr)();
    if (!has_netlink) {
      errno = EAFNOSUPPORT;
      return -1;
    }
  }
  return static_cast<int>(syscall(SYS_socket, family, type, protocol));
}

namespace halftoned {
namespace {

struct Connection {
  Descriptor listener;
  Descriptor server;
  Descriptor client;
};

sockaddr_storage Loopback(int family) {
  sockaddr_storage address = {};
  address.ss_family = static_cast<sa_family_t>(family);
  if (family == AF_INET) {
    reinterpret_cast<sockaddr_in&>(address).sin_addr.s_addr =
        htonl(INADDR_LOOPBACK);
  } else {
    reinterpret_cast<sockaddr_in6&>(address).sin6_addr = in6addr_loopback;
  }
  return address;
}

// Over TCP within this machine. Not open where it does not have the family.
Connection ConnectAt(sockaddr_storage address) {
  const int family = address.ss_family;
  Descriptor listener(socket(family, SOCK_STREAM, 0));
  socklen_t size =
      family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  sockaddr_storage any = address;
  auto* name = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener.get(), name, size) || listen(listener.get(), 1) ||
      getsockname(listener.get(), name, &size)) {
    return {};
  }
  // If connect() chose the port, other sockets could have the same one.
  Descriptor client(socket(family, SOCK_STREAM, 0));
  if (bind(client.get(), reinterpret_cast<sockaddr*>(&any), size) ||
      connect(client.get(), name, size)) {
    return {};
  }
  Descriptor server(accept(listener.get(), nullptr, nullptr));
  return {std::move(listener), std::move(server), std::move(client)};
}

Connection Connect(int family) { return ConnectAt(Loopback(family)); }

using Way = std::pair<int, bool>;

class TcpOwner : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    has_netlink = GetParam().second;
    connection_ = Connect(GetParam().first);
    if (!connection_.server.open()) GTEST_SKIP() << "no such addresses here";
  }
  void TearDown() override { has_netlink = true; }

  Connection connection_;
};

TEST_P(TcpOwner, IsTheUserOfTheOtherEnd) {
  const auto [is_local, uid] = OwnerOfOtherEnd(connection_.server.get());
  EXPECT_TRUE(is_local);
  ASSERT_TRUE(uid);
  EXPECT_EQ(*uid, geteuid());
}

TEST_P(TcpOwner, IsAnotherUserThanOurs) {
  if (geteuid() != 0) GTEST_SKIP() << "takes another user's place";
  constexpr uid_t kOther = 12345;
  ASSERT_EQ(seteuid(kOther), 0);
  const Connection of_other = Connect(GetParam().first);
  ASSERT_EQ(seteuid(0), 0);
  EXPECT_EQ(OwnerOfOtherEnd(of_other.server.get()).uid, kOther);
}

TEST_P(TcpOwner, IsNobodyOnceTheOtherEndIsClosed) {
  connection_.client = Descriptor();
  const auto [is_local, uid] = OwnerOfOtherEnd(connection_.server.get());
  EXPECT_TRUE(is_local);
  EXPECT_FALSE(uid);
}

// The other end is closed and its port taken again between the request and the
// question to the kernel.
TEST_P(TcpOwner, IsNobodyOnceAnotherSocketHasThePort) {
  sockaddr_storage ours = {}, theirs = {};
  auto* own = reinterpret_cast<sockaddr*>(&ours);
  auto* other = reinterpret_cast<sockaddr*>(&theirs);
  socklen_t size = sizeof(ours);
  ASSERT_EQ(getsockname(connection_.client.get(), own, &size), 0);
  ASSERT_EQ(getpeername(connection_.client.get(), other, &size), 0);
  bool is_taken = false;
  before_question = [&] {
    const linger reset = {1, 0};
    setsockopt(connection_.client.get(), SOL_SOCKET, SO_LINGER, &reset,
               sizeof(reset));
    connection_.client = Descriptor(socket(ours.ss_family, SOCK_STREAM, 0));
    is_taken = !bind(connection_.client.get(), own, size) &&
               !connect(connection_.client.get(), other, size);
  };
  EXPECT_FALSE(OwnerOfOtherEnd(connection_.server.get()).uid);
  EXPECT_TRUE(is_taken);
}

INSTANTIATE_TEST_SUITE_P(Ways, TcpOwner,
                         testing::Values(Way{AF_INET, true},
                                         Way{AF_INET, false},
                                         Way{AF_INET6, true},
                                         Way{AF_INET6, false}));

// A user of this machine does not become one of another by closing early.
TEST(OwnAddress, IsOfThisMachineOnceTheOtherEndIsClosed) {
  ifaddrs* all = nullptr;
  ASSERT_EQ(getifaddrs(&all), 0);
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owned(all, freeifaddrs);
  int tried = 0;
  for (const ifaddrs* each = all; each; each = each->ifa_next) {
    if (!each->ifa_addr) continue;
    const int family = each->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    sockaddr_storage address = {};
    std::memcpy(&address, each->ifa_addr,
                family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
    Connection connection = ConnectAt(address);
    if (!connection.server.open()) continue;
    EXPECT_EQ(OwnerOfOtherEnd(connection.server.get()).uid, geteuid());
    connection.client = Descriptor();
    const auto [is_local, uid] = OwnerOfOtherEnd(connection.server.get());
    EXPECT_TRUE(is_local) << each->ifa_name;
    EXPECT_FALSE(uid) << each->ifa_name;
    ++tried;
  }
  EXPECT_GT(tried, 0);
}

// Even if net.ipv4.ip_nonlocal_bind lets this machine bind any address.
TEST(OwnAddress, IsNotOneOfTheNetworksOthers) {
  const auto is_own = [](const char* text) {
    sockaddr_storage address = {};
    auto& four = reinterpret_cast<sockaddr_in&>(address);
    auto& six = reinterpret_cast<sockaddr_in6&>(address);
    const bool is_six = inet_pton(AF_INET6, text, &six.sin6_addr) == 1;
    EXPECT_TRUE(is_six || inet_pton(AF_INET, text, &four.sin_addr) == 1);
    address.ss_family = is_six ? AF_INET6 : AF_INET;
    return IsOfThisMachine(address);
  };
  for (const char* own : {"127.0.0.1", "127.0.1.1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(is_own(own)) << own;
  }
  for (const char* other : {"192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"}) {
    EXPECT_FALSE(is_own(other)) << other;
  }
}

TEST(UnixOwner, IsTheUserOfTheOtherEnd) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const Descriptor server(ends[0]), client(ends[1]);
  const auto [is_local, uid] = OwnerOfOtherEnd(server.get());
  EXPECT_TRUE(is_local);
  EXPECT_EQ(uid, geteuid());
}

TEST(NoOwner, IsOfWhatIsNoConnection) {
  const Descriptor alone(socket(AF_INET, SOCK_STREAM, 0));
  const auto [is_local, uid] = OwnerOfOtherEnd(alone.get());
  EXPECT_TRUE(is_local);
  EXPECT_FALSE(uid);
}

}  // namespace
}  // namespace halftoned
