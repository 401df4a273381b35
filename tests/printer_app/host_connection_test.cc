// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/host_connection.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cstddef>
#include <future>
#include <string>
#include <vector>

#include "base/unix_socket.h"
#include "printer_app/devices/canceled_call.h"
#include "printer_app/devices/handed_connection.h"
#include "printer_app/devices/own_server.h"

namespace halftoned {
namespace {

// A printer at 127.0.0.1.
struct Listener {
  explicit Listener(int backlog)
      : socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(socket.get(), any, size), 0);
    EXPECT_EQ(listen(socket.get(), backlog), 0);
    EXPECT_EQ(getsockname(socket.get(), any, &size), 0);
    port = ntohs(address.sin_port);
  }

  Descriptor socket;
  int port = 0;
};

constexpr auto kNever = [] { return false; };

TEST(HostConnection, ReachesANameAndAnAddress) {
  const Listener printer(8);
  for (const char* host : {"localhost", "127.0.0.1"}) {
    const auto connection = ConnectToHost(host, printer.port, kNever);
    ASSERT_TRUE(connection.ok()) << host << ": " << connection.error().message;
    const Descriptor other(accept(printer.socket.get(), nullptr, nullptr));
    EXPECT_EQ(send(connection->get(), "x", 1, MSG_NOSIGNAL), 1);
    char byte = '\0';
    EXPECT_EQ(recv(other.get(), &byte, 1, 0), 1);
  }
}

TEST(HostConnection, FailsAtOnceIfNobodyListens) {
  int port = 0;
  { port = Listener(1).port; }
  const auto connection = ConnectToHost("127.0.0.1", port, kNever);
  ASSERT_FALSE(connection.ok());
  EXPECT_EQ(connection.error().message,
            "Unable to connect to '127.0.0.1:" + std::to_string(port) + "'.");
  EXPECT_FALSE(ConnectToHost("no such host", port, kNever).ok());
}

// Its own user may change everything, so a document must not reach it.
TEST(HostConnection, LeadsToOtherServersOnly) {
  const Listener server(8);
  const Listener printer(8);
  SetServerPort(server.port);
  for (const char* host : {"localhost", "127.0.0.1", "0"}) {
    const auto refused = ConnectToHost(host, server.port, kNever);
    ASSERT_FALSE(refused.ok()) << host;
    EXPECT_EQ(refused.error().message, host +
                                           (":" + std::to_string(server.port)) +
                                           " is this server, not a printer");
  }
  const auto connection = ConnectToHost("127.0.0.1", printer.port, kNever);
  ASSERT_TRUE(connection.ok());
  // It may not be a printer that is found by a name of another machine's.
  EXPECT_TRUE(IsToThisMachine(connection->get()));
  EXPECT_FALSE(IsToThisMachine(printer.socket.get()));
  SetServerPort(0);
}

TEST(HostConnection, HasTheSameOptionsIfAProgramHandsItOver) {
  const Listener printer(8);
  const auto sent = ConnectToHost("127.0.0.1", printer.port, kNever);
  const auto ends = MakeSocketPair(SOCK_STREAM);
  ASSERT_TRUE(sent.ok() && ends.ok());
  const int file = sent->get();
  const std::byte begin{};
  ASSERT_TRUE(SendSome(ends->first.get(), {&begin, 1}, {&file, 1}).ok());
  const Descriptor taken = TakeConnection(ends->second.get());
  ASSERT_TRUE(taken.open());
  SetPrinterOptions(taken.get());
  int no_delay = 0;
  linger on_close = {1, 1};
  socklen_t size = sizeof(no_delay);
  getsockopt(taken.get(), IPPROTO_TCP, TCP_NODELAY, &no_delay, &size);
  size = sizeof(on_close);
  getsockopt(taken.get(), SOL_SOCKET, SO_LINGER, &on_close, &size);
  EXPECT_NE(no_delay, 0);
  EXPECT_EQ(on_close.l_onoff, 0);
}

TEST(HostConnection, IsNotTakenFromAProgramThatFails) {
  auto ends = MakeSocketPair(SOCK_STREAM);
  ASSERT_TRUE(ends.ok());
  // It says something, hands over what is no connection, and ends.
  const int file = ends->first.get();
  const std::byte begin{};
  ASSERT_TRUE(SendSome(file, {&begin, 1}).ok());
  EXPECT_FALSE(TakeConnection(ends->second.get()).open());
  ASSERT_TRUE(SendSome(file, {&begin, 1}, {&file, 1}).ok());
  EXPECT_FALSE(TakeConnection(ends->second.get()).open());
  ends->first.Close();
  EXPECT_FALSE(TakeConnection(ends->second.get()).open());
}

TEST(OwnServer, RecognizesRequests) {
  for (const char* text :
       {"POST /ipp/system HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "\r\n \r\nget\t/ http/1.0", "X  /a b c HTTP/1.1", "GET HTTP/2"}) {
    EXPECT_TRUE(IsHttpRequest(text)) << text;
  }
  for (const char* text :
       {"", " ", "\n", "GET",
        "\33%-12345X@PJL JOB NAME = \"GET / HTTP/1.1\"\r\n",
        "^XA^FDGET / HTTP/1.1^FS^XZ", "SIZE 4,6\nGET / HTTP/1.1\n",
        "%!PS\n(GET / HTTP/1.1) show\n", "N\nA1,1,0,1,1,1,N,\"a\"\n"}) {
    EXPECT_FALSE(IsHttpRequest(text)) << text;
  }
}

TEST(HostConnection, NeedsAHost) {
  for (const char* uri : {"socket:", "socket:/", "socket://", "SOCKET://",
                          "socket://:9100", "socket:///x", "socket://?a"}) {
    EXPECT_FALSE(NamesHost(uri)) << uri;
  }
  for (const char* uri : {"socket://192.0.2.7", "socket://[::1]:9100", "usb://",
                          "file:///dev/null", "socket"}) {
    EXPECT_TRUE(NamesHost(uri)) << uri;
  }
}

// The system drops what comes to a full queue, like a machine that is off.
TEST(HostConnection, EndsWithItsJob) {
  const Listener printer(0);
  std::vector<Descriptor> queue;
  int looks = 0;
  const auto is_canceled = [&] { return ++looks > 3; };
  while (true) {
    looks = 0;
    auto connection = ConnectToHost("127.0.0.1", printer.port, is_canceled);
    if (!connection.ok()) break;
    queue.push_back(std::move(*connection));
    ASSERT_LT(queue.size(), 100U);
  }
  EXPECT_EQ(looks, 4);
}

TEST(CanceledCall, EndsWithItsJob) {
  std::promise<int> late;
  const auto answer = std::make_shared<std::future<int>>(late.get_future());
  int looks = 0;
  const auto is_canceled = [&] { return ++looks > 1; };
  EXPECT_EQ(
      CallUnlessCanceled<int>([answer] { return answer->get(); }, is_canceled),
      std::nullopt);
  EXPECT_EQ(looks, 2);
  late.set_value(1);
  EXPECT_EQ(CallUnlessCanceled<int>([] { return 2; }, kNever), 2);
}

}  // namespace
}  // namespace halftoned
