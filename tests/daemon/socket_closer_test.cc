// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sockets whose other end has passed a connection that lingers for an hour: a
// test that ends has not waited for it.

#include "daemon/supervisor/clients/socket_closer.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cstring>

#include "base/unix_socket.h"
#include "wire/link.h"

namespace halftoned::daemon {
namespace {

constexpr int kHour = 3600;

struct Lingering {
  Descriptor reader;  // reads nothing
  Descriptor writer;  // with unsent data: the last to close it waits
};

Lingering MakeLingering() {
  const Descriptor listener(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(::bind(listener.get(), generic, size), 0);
  EXPECT_EQ(::listen(listener.get(), 1), 0);
  EXPECT_EQ(::getsockname(listener.get(), generic, &size), 0);
  Lingering both;
  both.writer = Descriptor(::socket(AF_INET, SOCK_STREAM, 0));
  EXPECT_EQ(::connect(both.writer.get(), generic, size), 0);
  both.reader = Descriptor(::accept(listener.get(), nullptr, nullptr));
  const std::array<char, size_t{64} << 10> data{};
  while (::send(both.writer.get(), data.data(), data.size(), MSG_DONTWAIT) >
         0) {
  }
  const linger hour{.l_onoff = 1, .l_linger = kHour};
  EXPECT_EQ(::setsockopt(both.writer.get(), SOL_SOCKET, SO_LINGER, &hour,
                         sizeof(hour)),
            0);
  return both;
}

class SocketCloserTest : public ::testing::Test {
 protected:
  SocketCloserTest() {
    auto pair = MakeSocketPair(SOCK_STREAM);
    ours_ = std::move(pair->first);
    theirs_ = std::move(pair->second);
  }

  // Passes the only descriptor of a lingering connection.
  void SendLingering(std::string_view text) {
    lingering_ = MakeLingering();
    const int fd = lingering_.writer.get();
    ASSERT_TRUE(
        SendSome(theirs_.get(), std::as_bytes(std::span(text)), {&fd, 1}).ok());
    lingering_.writer.Close();
  }
  void Send(std::string_view text) {
    ASSERT_TRUE(SendSome(theirs_.get(), std::as_bytes(std::span(text))).ok());
  }
  // Waits until the last descriptor of our end is closed.
  bool IsClosed() const {
    pollfd wait{theirs_.get(), 0, 0};  // POLLHUP comes unasked
    return ::poll(&wait, 1, 10'000) == 1;
  }

  Descriptor ours_;
  Descriptor theirs_;
  Lingering lingering_;
  std::array<std::byte, 64> room_;
};

TEST_F(SocketCloserTest, BytesBeforeADescriptorAreReceived) {
  Send("hello");
  const auto hello = ReceiveBytes(ours_.get(), room_);
  EXPECT_EQ(hello->bytes, 5u);
  EXPECT_FALSE(hello->has_descriptors);
  EXPECT_EQ(ReceiveBytes(ours_.get(), room_)->bytes, 0u);
  SendLingering("x");
  for (int i = 0; i < 2; ++i) {
    const auto refused = ReceiveBytes(ours_.get(), room_);
    EXPECT_EQ(refused->bytes, 0u);
    EXPECT_TRUE(refused->has_descriptors);
  }
  SocketCloser().Close(std::move(ours_));
}

TEST_F(SocketCloserTest, TheEndOfAConnectionIsReceived) {
  Send("x");
  theirs_.Close();
  EXPECT_FALSE(ReceiveBytes(ours_.get(), room_)->ended);
  EXPECT_TRUE(ReceiveBytes(ours_.get(), room_)->ended);
}

TEST_F(SocketCloserTest, RefusesDescriptorsAfterItHasLooked) {
  Send(std::string(50'000, 'a'));
  EXPECT_FALSE(HoldsDescriptors(ours_.get()));
  // Nothing can be sent after that.
  EXPECT_FALSE(SendSome(theirs_.get(), std::as_bytes(std::span("x"))).ok());
}

TEST_F(SocketCloserTest, DoesNotWaitForDescriptorsThatWereNotReceived) {
  Send("a");
  SendLingering("b");
  EXPECT_TRUE(HoldsDescriptors(ours_.get()));
  SocketCloser closer;
  closer.Close(std::move(ours_));
  closer.CloseRest();
  EXPECT_TRUE(IsClosed());
}

TEST_F(SocketCloserTest, ALinkDoesNotWaitForDescriptors) {
  for (const bool is_received : {true, false}) {
    SCOPED_TRACE(is_received);
    auto pair = MakeSocketPair(SOCK_STREAM);
    theirs_ = std::move(pair->second);
    wire::Link link(std::move(pair->first));
    SendLingering("x");
    if (is_received) {
      EXPECT_FALSE((*link.Receive()).has_value());
    }
    link.Discard();
    EXPECT_TRUE(IsClosed());
  }
}

TEST_F(SocketCloserTest, ALingeringDescriptorThatIsReceivedDoesNotLinger) {
  SendLingering("x");
  std::vector<Descriptor> files;
  ASSERT_EQ(ReceiveSome(ours_.get(), room_, files)->bytes, 1u);
  ASSERT_EQ(files.size(), 1u);
  CloseFiles(std::move(files));
}

}  // namespace
}  // namespace halftoned::daemon
