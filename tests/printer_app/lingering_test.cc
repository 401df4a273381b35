// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/lingering.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/printer_app/printer_ends.h"

namespace halftoned {
namespace {

// Whether it is reset when the printer speaks.
bool IsClosed(const Descriptor& end, int milliseconds = 0) {
  pollfd look = {end.get(), 0, 0};
  return send(end.get(), "x", 1, MSG_NOSIGNAL) < 0 ||
         poll(&look, 1, milliseconds) > 0;
}

bool SoonIsClosed(const Descriptor& end) {
  int looks = 0;
  while (looks < 600 && !IsClosed(end, 100)) ++looks;
  return looks < 600;
}

// Neither closes its end of the connection.
TEST(Linger, WaitsLongerForAPrinterThatSpeaks) {
  Ends silent = ConnectedEnds(), speaking = ConnectedEnds();
  const int of_silent = silent.ours.get(), of_speaking = speaking.ours.get();
  ASSERT_EQ(write(speaking.printer.get(), "ready", 5), 5);
  for (Ends* ends : {&silent, &speaking}) {
    DeviceStream stream(std::move(ends->ours));
    EXPECT_TRUE(stream.Send("page", Never));
    EXPECT_TRUE(stream.Drain(Never));
  }
  const auto is_open = [](int file) { return fcntl(file, F_GETFD) >= 0; };
  int looks = 0;
  for (; is_open(of_silent) && looks < 600; ++looks) usleep(100'000);
  EXPECT_FALSE(is_open(of_silent));
  EXPECT_TRUE(is_open(of_speaking));
}

TEST(Linger, NewJobsOfAPrinterEndItsOldConnections) {
  const Printer printer, other;
  const Descriptor of_other = other.TakeJob();
  std::vector<Descriptor> jobs;
  for (size_t i = 0; i < kMostLingering + 8; ++i) {
    jobs.push_back(printer.TakeJob());
  }
  const auto first_open = jobs.end() - ssize_t{kMostLingeringOfPrinter};
  EXPECT_TRUE(std::all_of(jobs.begin(), first_open, SoonIsClosed));
  EXPECT_TRUE(std::none_of(first_open, jobs.end(),
                           [](const auto& job) { return IsClosed(job); }));
  EXPECT_FALSE(IsClosed(of_other));
}

TEST(Linger, TheUserWithMostConnectionsLosesHisOldest) {
  const Printer printer;
  const Descriptor of_other = printer.TakeJob("other");
  std::vector<Descriptor> jobs;
  for (size_t i = 0; i < kMostLingeringOfPrinter; ++i) {
    jobs.push_back(printer.TakeJob("busy"));
  }
  EXPECT_TRUE(SoonIsClosed(jobs.front()));
  EXPECT_TRUE(std::none_of(jobs.begin() + 1, jobs.end(),
                           [](const auto& job) { return IsClosed(job); }));
  EXPECT_FALSE(IsClosed(of_other));
}

TEST(Linger, ThePrinterWithMostConnectionsLosesItsOldest) {
  const Printer busy;
  std::vector<Descriptor> of_busy, of_others;
  for (size_t i = 0; i < kMostLingeringOfPrinter; ++i) {
    of_busy.push_back(busy.TakeJob());
  }
  std::vector<Printer> others(kMostLingering - kMostLingeringOfPrinter / 2);
  for (const Printer& other : others) of_others.push_back(other.TakeJob());
  EXPECT_TRUE(SoonIsClosed(of_busy.front()));
  EXPECT_FALSE(IsClosed(of_busy.back()));
  EXPECT_TRUE(std::none_of(of_others.begin(), of_others.end(),
                           [](const auto& job) { return IsClosed(job); }));
}

}  // namespace
}  // namespace halftoned
