// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/device_stream.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "print/process/pipe.h"
#include "printer_app/devices/lingering.h"
#include "printer_app/devices/tcp_state.h"
#include "tests/printer_app/printer_ends.h"

namespace halftoned {
namespace {

constexpr size_t kMuch = size_t{4} << 20;  // more than a socket holds

// Closes or resets the printer's end.
void End(Descriptor printer, bool resets) {
  const linger none = {1, 0};
  if (resets) {
    setsockopt(printer.get(), SOL_SOCKET, SO_LINGER, &none, sizeof(none));
  }
}

TEST(DeviceStream, SendsTheRestOfACanceledJobLater) {
  Ends ends;
  std::optional<DeviceStream> stream(std::in_place, std::move(ends.ours));
  const std::string much(DeviceStream::kMostRest, 'a');
  EXPECT_TRUE(stream->Send(much, [] { return true; }));
  EXPECT_TRUE(stream->has_rest());
  stream->SendRest([] { return true; });
  EXPECT_TRUE(stream->has_rest());
  std::string got;
  std::thread printer([&] { got = ReadAll(ends.printer.get()); });
  stream->SendRest(Never);
  EXPECT_FALSE(stream->has_rest());
  stream.reset();
  printer.join();
  EXPECT_EQ(got.size(), much.size());
  EXPECT_EQ(got, much);
}

// A canceled job has more than a page.
TEST(DeviceStream, KeepsNoLongRestOfCanceledJobs) {
  for (const bool is_one : {true, false}) {
    Ends ends;
    std::optional<DeviceStream> stream(std::in_place, std::move(ends.ours));
    const std::string job(is_one ? kMuch : kMuch / 8, 'a');
    for (size_t sent = 0; sent < kMuch; sent += job.size()) {
      EXPECT_TRUE(stream->Send(job, [] { return true; }));
    }
    EXPECT_FALSE(stream->has_rest());
    std::string got;
    std::thread printer([&] { got = ReadAll(ends.printer.get()); });
    EXPECT_FALSE(stream->Send("next", Never));
    stream.reset();
    printer.join();
    EXPECT_EQ(got, std::string(got.size(), 'a'));
    EXPECT_LT(got.size(), kMuch);
  }
}

TEST(DeviceStream, FailsWhenThePrinterIsGone) {
  Ends ends;
  DeviceStream stream(std::move(ends.ours));
  ends.printer.Close();
  EXPECT_FALSE(stream.Send("page", Never));
  EXPECT_TRUE(stream.Send("", [] { return true; }));
}

TEST(DeviceStream, LosesNothingOfAJobWhosePrinterSpeaks) {
  Ends ends = ConnectedEnds();
  const std::string page(300'000, 'p');
  ASSERT_EQ(write(ends.printer.get(), "ready", 5), 5);
  std::optional<DeviceStream> stream(std::in_place, std::move(ends.ours));
  EXPECT_TRUE(stream->Send(page, Never));
  ASSERT_EQ(write(ends.printer.get(), "busy", 4), 4);
  stream.reset();
  EXPECT_EQ(ReadAll(ends.printer.get()), page);
}

TEST(DeviceStream, SendsAllAgainToAPrinterThatClosedTheConnectionAtOnce) {
  for (const bool resets : {false, true}) {
    for (const size_t size : {4, 8 << 20}) {
      const Printer printer;
      Ends ends = printer.Connect();
      Ends again = printer.Connect();
      auto stream = std::make_unique<DeviceStream>(std::move(ends.ours));
      stream->ReopenBy([&] {
        return std::make_unique<DeviceStream>(std::move(again.ours));
      });
      std::string got;
      std::thread reads([&] { got = ReadAll(again.printer.get()); });
      const std::string page(size, 'p');
      End(std::move(ends.printer), resets);
      EXPECT_TRUE(stream->Send("begin", Never));
      EXPECT_TRUE(stream->Send(page, Never));
      EXPECT_TRUE(stream->Drain(Never));
      stream.reset();
      reads.join();
      EXPECT_EQ(got.size(), size + 5);
      EXPECT_EQ(got, "begin" + page);
    }
  }
}

TEST(DeviceStream, AsksAgainUntilTheJobIsCanceled) {
  const Printer printer;
  int connections = 0;
  const auto connect = [&] {
    ++connections;
    Ends ends = printer.Connect();
    End(std::move(ends.printer), connections % 2 == 0);
    return std::make_unique<DeviceStream>(std::move(ends.ours));
  };
  const auto is_canceled = [&] { return connections > 5; };
  const auto stream = connect();
  stream->ReopenBy([&] { return is_canceled() ? nullptr : connect(); });
  EXPECT_TRUE(stream->Send("page", is_canceled) && stream->Drain(is_canceled));
  EXPECT_EQ(connections, 6);
}

TEST(DeviceStream, SendsNothingOfAJobThatIsCanceledBeforeItsFirstByte) {
  Ends ends = ConnectedEnds();
  auto stream = std::make_unique<DeviceStream>(std::move(ends.ours));
  stream->ReopenBy([] { return nullptr; });
  bool is_canceled = false;
  EXPECT_TRUE(stream->Send("page", [&] { return is_canceled = true; }));
  EXPECT_TRUE(stream->Send("end", [&] { return is_canceled; }));
  EXPECT_FALSE(stream->has_rest());
  stream.reset();
  EXPECT_EQ(ReadAll(ends.printer.get()), "");
}

TEST(DeviceStream, SendsNothingAgainThatThePrinterHas) {
  Ends ends = ConnectedEnds();
  DeviceStream stream(std::move(ends.ours));
  stream.ReopenBy([]() -> std::unique_ptr<DeviceStream> {
    ADD_FAILURE();
    return nullptr;
  });
  shutdown(ends.printer.get(), SHUT_WR);
  EXPECT_TRUE(stream.Send("page", Never));
  char bytes[4];
  EXPECT_EQ(read(ends.printer.get(), bytes, sizeof(bytes)), 4);
  End(std::move(ends.printer), true);
  EXPECT_FALSE(stream.Send("more", Never) && stream.Drain(Never));
}

// Such as one that never speaks.
TEST(DeviceStream, APrinterMayCloseItsDirection) {
  Ends ends = ConnectedEnds();
  DeviceStream stream(std::move(ends.ours));
  stream.ReopenBy([] { return nullptr; });
  shutdown(ends.printer.get(), SHUT_WR);
  EXPECT_TRUE(stream.Send("page", Never));
  EXPECT_TRUE(stream.Drain(Never));
  char bytes[5];
  EXPECT_EQ(read(ends.printer.get(), bytes, sizeof(bytes)), 4);
}

TEST(DeviceStream, TellsAPrinterThatTookAllFromOneThatDidNot) {
  for (const bool takes : {true, false}) {
    Ends ends = ConnectedEnds();
    DeviceStream stream(std::move(ends.ours));
    // It does not fit into the printer's buffer, but into ours.
    EXPECT_TRUE(stream.Send(std::string(1 << 20, 'p'), Never));
    std::thread printer([&] {
      char bytes[4096];
      for (size_t got = 0; got < (takes ? 1 << 20 : 1 << 16);) {
        got += static_cast<size_t>(std::max<ssize_t>(
            read(ends.printer.get(), bytes, sizeof(bytes)), 0));
      }
      if (!takes) ends.printer.Close();
    });
    EXPECT_EQ(stream.Drain(Never), takes);
    printer.join();
  }
}

TEST(DeviceStream, BelievesAPrinterThatTookAllAndResetsTheConnection) {
  Ends ends = ConnectedEnds();
  DeviceStream stream(std::move(ends.ours));
  EXPECT_TRUE(stream.Send("page", Never));
  char page[4];
  EXPECT_EQ(recv(ends.printer.get(), page, 4, MSG_WAITALL), 4);
  End(std::move(ends.printer), true);
  EXPECT_TRUE(stream.Drain(Never));
}

// The bytes that the kernel has got from us.
uint64_t Given(int connection) {
  int left = 0;
  uint64_t acked = 0;
  do {
    acked = AckedBytes(connection);
    EXPECT_EQ(ioctl(connection, SIOCOUTQ, &left), 0);
  } while (acked != AckedBytes(connection));
  return acked + static_cast<uint64_t>(left);
}

// So a server that is killed before the job counts as sent has not printed it.
TEST(DeviceStream, KeepsTheLastByteUntilTheJobCountsAsSent) {
  Ends ends = ConnectedEnds();
  const int ours = ends.ours.get();
  std::optional<DeviceStream> stream(std::in_place, std::move(ends.ours));
  const std::string page(1 << 20, 'p');
  std::string got;
  std::optional<std::thread> printer;
  bool is_sent = false;
  const auto is_canceled = [&] {
    EXPECT_TRUE(is_sent || Given(ours) < page.size());
    if (!printer) {
      printer.emplace([&] { got = ReadAll(ends.printer.get()); });
    }
    return false;
  };
  const auto tell = [&](bool sent) {
    is_sent = sent;
    EXPECT_EQ(Given(ours), page.size());
  };
  EXPECT_TRUE(stream->Drain(is_canceled, tell, page));
  EXPECT_TRUE(is_sent);
  stream.reset();
  printer->join();
  EXPECT_EQ(got, page);
}

TEST(DeviceStream, FailsWhenThePrinterIsGoneBeforeTheLastByte) {
  Ends ends = ConnectedEnds();
  DeviceStream stream(std::move(ends.ours));
  const auto is_canceled = [&] {
    char bytes[3];
    if (ends.printer.open()) {
      EXPECT_EQ(recv(ends.printer.get(), bytes, 3, MSG_WAITALL), 3);
      End(std::move(ends.printer), true);
    }
    return false;
  };
  EXPECT_FALSE(stream.Drain(
      is_canceled, [](bool) { ADD_FAILURE(); }, "page"));
}

TEST(DeviceStream, TakesBackThatAJobIsSentWhileItsPrinterIsSilent) {
  Ends ends;
  DeviceStream stream(std::move(ends.ours));
  EXPECT_TRUE(stream.Send("page", Never));
  std::vector<bool> told;
  EXPECT_TRUE(stream.Drain(Never, [&](bool is_sent) {
    told.push_back(is_sent);
    char page[4];
    if (is_sent) return;
    EXPECT_EQ(read(ends.printer.get(), page, sizeof(page)), 4);
  }));
  EXPECT_EQ(told, (std::vector<bool>{true, false, true}));
}

TEST(DeviceStream, CountsWhatIsAcknowledgedToTheByte) {
  Ends ends = ConnectedEnds();
  EXPECT_EQ(AckedBytes(ends.ours.get()), 0u);
  EXPECT_EQ(AckedBytes(STDIN_FILENO), 0u);
  // More than the printer's end has room for.
  const std::string much(kMuch, 'p');
  const ssize_t sent = send(ends.ours.get(), much.data(), much.size(),
                            MSG_DONTWAIT | MSG_NOSIGNAL);
  ASSERT_GT(sent, 0);
  EXPECT_EQ(Given(ends.ours.get()), static_cast<uint64_t>(sent));
}

TEST(DeviceStream, DoesNotListenForEver) {
  Ends ends = ConnectedEnds();
  std::thread printer([&] {
    const std::string words(1 << 16, 'w');
    while (send(ends.printer.get(), words.data(), words.size(), MSG_NOSIGNAL) >
           0) {
    }
  });
  {
    DeviceStream stream(std::move(ends.ours));
    EXPECT_TRUE(stream.Send("page", Never));
    EXPECT_TRUE(stream.Drain(Never));
  }
  printer.join();  // the connection has ended
}

TEST(DeviceStream, WaitsUntilItsProgramHasHandedAllOn) {
  Ends ends;
  auto answers = Pipe::Make();
  ASSERT_TRUE(answers.ok());
  auto child = Child::Start({.name = "it",
                             .words = {"/bin/true"},
                             .environment = {},
                             .input = 0,
                             .output = 1});
  ASSERT_TRUE(child.ok());
  DeviceStream stream(std::move(ends.ours), std::move(answers->reading),
                      std::move(*child));
  const std::string page(100'000, 'p');
  EXPECT_TRUE(stream.Send(page, [] { return true; }));
  EXPECT_TRUE(stream.has_rest());
  std::atomic<uint64_t> handed_on = 0;
  std::thread program([&] {
    char bytes[4096];
    while (handed_on < page.size()) {
      const ssize_t size = read(ends.printer.get(), bytes, sizeof(bytes));
      ASSERT_GT(size, 0);
      const uint64_t count = handed_on += static_cast<uint64_t>(size);
      ASSERT_EQ(write(answers->writing.get(), &count, sizeof(count)),
                ssize_t{sizeof(count)});
    }
  });
  stream.SendRest(Never);
  EXPECT_FALSE(stream.has_rest());
  EXPECT_EQ(handed_on, page.size());
  program.join();
  answers->writing.Close();
  EXPECT_FALSE(stream.Send("more", Never));
}

}  // namespace
}  // namespace halftoned
