// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clients that do not read large answers, through a complete front end.

#include "printer_app/front/client/answer_room.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "base/descriptor.h"
#include "printer_app/front/client/client.h"
#include "printer_app/front/client/listeners.h"
#include "printer_app/front/client/serve_client.h"
#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

constexpr size_t kPages = 3;  // for which there is room
constexpr char kGetPage[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

// One that has asked for a page, and has not begun to read it.
class AnswerReader {
 public:
  AnswerReader(ServedFront& served, AnswerRoom& room, int listener,
               const std::string& site) {
    http_.reset(httpConnect2(served.Socket().c_str(), 0, nullptr, AF_LOCAL,
                             HTTP_ENCRYPTION_NEVER, 1, 30000, nullptr));
    Caller caller = Somebody();
    caller.network = site;
    std::unique_ptr<http_t, CloseHttp> accepted(
        httpAcceptConnection(listener, 1));
    // Less than a part of an answer.
    constexpr int kBuffer = 8 << 10;
    EXPECT_EQ(setsockopt(httpGetFd(accepted.get()), SOL_SOCKET, SO_SNDBUF,
                         &kBuffer, sizeof(kBuffer)),
              0);
    client_ = std::make_unique<FrontClient>(std::move(accepted), caller, 30,
                                            served.front().work_slots,
                                            served.front().handshakes, room);
    EXPECT_EQ(send(connection(), kGetPage, sizeof(kGetPage) - 1, 0),
              ssize_t{sizeof(kGetPage) - 1});
    thread_ = std::thread([this, &served] {
      ServeClient(served.front(), *client_);
      client_->Close();
    });
  }
  ~AnswerReader() {
    http_.reset();
    thread_.join();
  }
  AnswerReader(const AnswerReader&) = delete;
  AnswerReader& operator=(const AnswerReader&) = delete;

  ClientWait& client() { return *client_; }
  auto WaitsSince() const {
    return client_->WaitsSince(ClientWait::Clock::now());
  }
  bool is_dropped() const {
    pollfd end = {connection(), POLLRDHUP, 0};
    return poll(&end, 1, 0) != 0 && (end.revents & POLLRDHUP) != 0;
  }
  // Reads a part, until the rest waits again.
  void ReadSome() {
    const auto before = WaitsSince();
    std::array<char, 4096> room;
    do {
      if (!WaitsSince()) {
        std::this_thread::yield();
      } else {
        EXPECT_GT(recv(connection(), room.data(), room.size(), 0), 0);
      }
    } while (WaitsSince().value_or(*before) == *before);
  }
  // Waits for the answer.
  void ReadFirst() {
    char first = '\0';
    EXPECT_EQ(recv(connection(), &first, 1, 0), 1);
  }

 private:
  int connection() const { return httpGetFd(http_.get()); }

  std::unique_ptr<http_t, CloseHttp> http_;
  std::unique_ptr<FrontClient> client_;
  std::thread thread_;
};

class AnswerRoomTest : public testing::Test {
 protected:
  AnswerRoomTest() {
    auto listener = ListenAtPath(served_.Socket());
    EXPECT_TRUE(listener.ok());
    listener_ = std::move(*listener);
  }

  // Returns once the answer waits for its reader.
  AnswerReader& Come(const std::string& site) {
    const size_t before = room_.bytes();
    AnswerReader& reader =
        readers_.emplace_back(served_, room_, listener_.get(), site);
    while (room_.bytes() == before || !reader.WaitsSince()) {
      std::this_thread::yield();
    }
    return reader;
  }
  // One more, for which there is no room.
  void ComeLast(const std::string& site) {
    readers_.emplace_back(served_, room_, listener_.get(), site).ReadFirst();
  }
  std::set<size_t> Dropped() const {
    std::set<size_t> dropped;
    size_t i = 0;
    for (const AnswerReader& reader : readers_) {
      if (reader.is_dropped()) dropped.insert(i);
      ++i;
    }
    return dropped;
  }

  ServedFront served_{[](ipp_t* request, const std::string&) {
    return Ipp(ippNewResponse(request));
  }};
  AnswerRoom room_{kPages * FakePappl::kBytesOfPage};
  Descriptor listener_;
  std::list<AnswerReader> readers_;
};

TEST_F(AnswerRoomTest, TheClientThatHasNotReadForLongestIsDropped) {
  for (size_t i = 0; i < kPages; ++i) Come("a");
  EXPECT_EQ(room_.bytes(), kPages * FakePappl::kBytesOfPage);
  readers_.front().ReadSome();
  ComeLast("a");
  EXPECT_EQ(Dropped(), std::set<size_t>{1});
}

TEST_F(AnswerRoomTest, TheSiteWithTheLargestAnswersMakesRoom) {
  Come("a");
  for (size_t i = 1; i < kPages; ++i) Come("b");
  ComeLast("c");
  EXPECT_EQ(Dropped(), std::set<size_t>{1});
}

TEST_F(AnswerRoomTest, SmallAnswersNeedNone) {
  AnswerRoom room(0);
  AnswerReader& reader = Come("a");
  const AnswerRoom::Place small(room, reader.client(), "a", AnswerRoom::kSmall);
  EXPECT_EQ(room.bytes(), 0U);
  const AnswerRoom::Place large(room, reader.client(), "a",
                                AnswerRoom::kSmall + 1);
  EXPECT_TRUE(reader.is_dropped());
  EXPECT_EQ(room.bytes(), 0U);
}

}  // namespace
}  // namespace halftoned
