// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/device_stream.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "print/process/pipe.h"

namespace halftoned {
namespace {

constexpr size_t kMuch = size_t{4} << 20;  // more than a socket holds

bool Never() { return false; }

struct Ends {
  Descriptor ours, printer;

  Ends() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    ours = Descriptor(ends[0]);
    printer = Descriptor(ends[1]);
  }
};

std::string ReadAll(int file) {
  std::string all;
  char bytes[1 << 16];
  for (ssize_t size; (size = read(file, bytes, sizeof(bytes))) > 0;) {
    all.append(bytes, static_cast<size_t>(size));
  }
  return all;
}

TEST(DeviceStream, SendsTheRestOfACanceledJobFirst) {
  Ends ends;
  std::optional<DeviceStream> stream(std::in_place, std::move(ends.ours));
  const std::string much(kMuch, 'a');
  EXPECT_TRUE(stream->Send(much, [] { return true; }));
  EXPECT_TRUE(stream->has_rest());
  std::string got;
  std::thread printer([&] { got = ReadAll(ends.printer.get()); });
  EXPECT_TRUE(stream->Send("next", Never));
  EXPECT_FALSE(stream->has_rest());
  stream.reset();
  printer.join();
  EXPECT_EQ(got.size(), much.size() + 4);
  EXPECT_EQ(got, much + "next");
}

TEST(DeviceStream, FailsWhenThePrinterIsGone) {
  Ends ends;
  DeviceStream stream(std::move(ends.ours));
  EXPECT_FALSE(stream.IsGone());
  ends.printer.Close();
  EXPECT_TRUE(stream.IsGone());
  EXPECT_FALSE(stream.Send("page", Never));
  EXPECT_TRUE(stream.Send("", [] { return true; }));
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
  EXPECT_TRUE(stream.Send(page, Never));
  EXPECT_EQ(handed_on, page.size());
  program.join();
  answers->writing.Close();
  EXPECT_FALSE(stream.Send("more", Never));
}

}  // namespace
}  // namespace halftoned
