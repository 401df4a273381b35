// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many clients of one front at a time; ThreadSanitizer runs it, too.

#include "printer_app/front/client/connections.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "printer_app/front/client/listeners.h"
#include "printer_app/front/pappl/printer_deletion.h"
#include "printer_app/handover/spooled_document.h"
#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

constexpr int kClients = 8;
constexpr int kRounds = 12;

std::string TextOfClient(int client, int round) {
  return std::string(20000, static_cast<char>('a' + client)) +
         std::to_string(round);
}

// A client that says nothing.
Descriptor Silent(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  Descriptor silent(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(connect(silent.get(), reinterpret_cast<sockaddr*>(&address),
                    sizeof(address)),
            0);
  return silent;
}

class ConnectionsTest : public testing::Test {
 protected:
  ConnectionsTest() : served_(Answer(), Settings()) {
    auto listener = ListenAtPath(served_.Socket());
    EXPECT_TRUE(listener.ok());
    listener_ = std::move(*listener);
  }

  static FrontSettings Settings() {
    FrontSettings settings;
    settings.client_timeout = 1;
    return settings;
  }

  // Keeps what each document has, when its job comes.
  FakePappl::Answer Answer() {
    return [this](ipp_t* request, const std::string& document) {
      if (ippGetOperation(request) == IPP_OP_PRINT_JOB) {
        const auto number = NumberIn(document);
        std::ifstream file(served_.front().settings.spool + '/' +
                           DocumentName(number.value_or("")));
        std::string text(std::istreambuf_iterator<char>(file), {});
        const std::lock_guard lock(mutex_);
        documents_.push_back(std::move(text));
        return AnswerWithJob(request, static_cast<int>(documents_.size()));
      }
      return Ipp(ippNewResponse(request));
    };
  }

  // As RunFront does it, until all clients are served.
  void Accept() {
    pollfd wait = {listener_.get(), POLLIN, 0};
    while (!is_done_ || !connections_.empty()) {
      poll(&wait, 1, 20);
      if (wait.revents) connections_.Accept(listener_.get());
      connections_.DropOverdue();
    }
  }

  void RunClient(int client) {
    for (int round = 0; round < kRounds; ++round) {
      const Ipp printed = SendTo(served_.Socket(),
                                 RequestFor(IPP_OP_PRINT_JOB, 0, "text/plain"),
                                 TextOfClient(client, round));
      if (!printed || ippGetStatusCode(printed.get()) != IPP_STATUS_OK) {
        ++failed_;
      }
      for (const ipp_op_t operation :
           {IPP_OP_GET_JOBS, IPP_OP_GET_PRINTER_ATTRIBUTES,
            IPP_OP_CANCEL_MY_JOBS}) {
        if (!SendTo(served_.Socket(), RequestFor(operation), "")) ++failed_;
      }
    }
  }

  std::mutex mutex_;
  std::vector<std::string> documents_;
  std::atomic<int> failed_ = 0;
  std::atomic<bool> is_done_ = false;
  ServedFront served_;
  Connections connections_{served_.front()};
  Descriptor listener_;
};

TEST_F(ConnectionsTest, ManyClientsPrintWhileOthersAreDropped) {
  std::thread accepting([this] { Accept(); });
  const Descriptor silent = Silent(served_.Socket());
  std::vector<std::thread> clients;
  for (int client = 0; client < kClients; ++client) {
    clients.emplace_back([this, client] { RunClient(client); });
  }
  for (std::thread& client : clients) client.join();
  char byte = 0;
  EXPECT_EQ(recv(silent.get(), &byte, 1, 0), 0);
  is_done_ = true;
  accepting.join();

  EXPECT_EQ(failed_, 0);
  std::vector<std::string> sent;
  for (int client = 0; client < kClients; ++client) {
    for (int round = 0; round < kRounds; ++round) {
      sent.push_back(TextOfClient(client, round));
    }
  }
  std::ranges::sort(sent);
  std::ranges::sort(documents_);
  EXPECT_TRUE(documents_ == sent);
  EXPECT_EQ(served_.Spool().size(), sent.size());
  EXPECT_EQ(served_.front().shares.Jobs().size(), sent.size());
}

}  // namespace
}  // namespace halftoned
