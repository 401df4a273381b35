// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/polled_io.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <utility>
#include <vector>

#include "base/descriptor.h"

namespace halftoned {
namespace {

struct TestPipe {
  TestPipe() {
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
      out = Descriptor(ends[0]);
      in = Descriptor(ends[1]);
    }
  }
  Descriptor out;
  Descriptor in;
};

Stop NewStop() { return std::move(*Stop::Make()); }

PolledInput NewInput(const TestPipe& pipe, const Stop& stop) {
  return std::move(*PolledInput::Make(pipe.out.get(), stop));
}

TEST(PolledInput, ReturnsAvailableBytesAndThenTheEnd) {
  TestPipe pipe;
  const Stop stop = NewStop();
  PolledInput input = NewInput(pipe, stop);
  ASSERT_EQ(::write(pipe.in.get(), "abc", 3), 3);
  std::array<std::byte, 8> room;
  EXPECT_EQ(*input.Read(room), 3u);
  pipe.in.Close();
  EXPECT_EQ(*input.Read(room), 0u);
}

TEST(PolledInput, EitherStopEndsTheWait) {
  for (bool from_outside : {false, true}) {
    TestPipe pipe;
    Stop stop = NewStop();
    PolledInput input = NewInput(pipe, stop);
    // Without the stop this Read would wait forever.
    std::thread other([&] { from_outside ? stop.Request() : input.Cancel(); });
    std::array<std::byte, 8> room;
    EXPECT_EQ(input.Read(room).error().code, ErrorCode::kIo);
    other.join();
    EXPECT_FALSE(input.Read(room).ok());
  }
}

// Whether this process may make `pipe` larger.
bool MayGrow(const TestPipe& pipe) {
  return ::fcntl(pipe.out.get(), F_SETPIPE_SZ, 1 << 20) >= 1 << 20;
}

TEST(PolledInput, APipeHasRoomForManyRows) {
  if (TestPipe other; !MayGrow(other))
    GTEST_SKIP() << "pipes are kept small here";
  TestPipe pipe;
  const Stop stop = NewStop();
  const PolledInput input = NewInput(pipe, stop);
  EXPECT_GE(::fcntl(pipe.out.get(), F_GETPIPE_SZ), 1 << 20);
}

TEST(PolledOutput, WaitsForASlowReader) {
  TestPipe pipe;
  const Stop stop = NewStop();
  PolledOutput output(pipe.in.get(), stop);
  const std::vector<std::byte> bytes(1 << 20, std::byte{7});
  std::thread reader([&] {
    std::vector<std::byte> room(bytes.size());
    EXPECT_EQ(*ReadFully(pipe.out.get(), room), bytes.size());
    EXPECT_EQ(room, bytes);
  });
  EXPECT_TRUE(output.Write(bytes).ok());
  reader.join();
}

TEST(PolledOutput, EndsAfterAStopWhenNobodyReads) {
  TestPipe pipe;
  Stop stop = NewStop();
  PolledOutput output(pipe.in.get(), stop);
  std::thread other([&] { stop.Request(); });
  const std::vector<std::byte> bytes(3 << 20);
  EXPECT_EQ(output.Write(bytes).error().message, "the job was canceled");
  other.join();
}

// A reader that reads the pipe only after the end finds whole rows.
TEST(PolledOutput, APipeEndsWithAWholeRowAlsoWhenNobodyReads) {
  constexpr size_t kHeader = 1800;
  for (size_t row : {1, 620, 2048, 3001, 4096}) {
    TestPipe pipe;
    Stop stop = NewStop();
    PolledOutput output(pipe.in.get(), stop);
    ASSERT_TRUE(output.Write(std::vector<std::byte>(kHeader)).ok());
    std::thread other([&] { stop.Request(); });
    const std::vector<std::byte> rows(row * (3'000'000 / row));
    EXPECT_FALSE(output.Write(rows, row).ok());
    other.join();
    pipe.in.Close();
    std::vector<std::byte> room(kHeader + rows.size());
    const size_t got = *ReadFully(pipe.out.get(), room);
    EXPECT_EQ((got - kHeader) % row, 0u) << row;
  }
}

TEST(PolledOutput, BeginsNothingAfterAStop) {
  TestPipe pipe;
  Stop stop = NewStop();
  stop.Request();
  PolledOutput output(pipe.in.get(), stop);
  EXPECT_FALSE(output.Write(std::vector<std::byte>(8), 4).ok());
  pipe.in.Close();
  std::array<std::byte, 8> room;
  EXPECT_EQ(*ReadFully(pipe.out.get(), room), 0u);
}

TEST(PolledOutput, ATerminalThatNobodyReadsEndsToo) {
  const Descriptor master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!master.open() || ::grantpt(master.get()) != 0 ||
      ::unlockpt(master.get()) != 0) {
    GTEST_SKIP() << "no terminals here";
  }
  const Descriptor terminal(
      ::open(::ptsname(master.get()), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(terminal.open());
  Stop stop = NewStop();
  PolledOutput output(terminal.get(), stop);
  std::thread other([&] { stop.Request(); });
  EXPECT_FALSE(output.Write(std::vector<std::byte>(1 << 20)).ok());
  other.join();
}

TEST(PolledOutput, AClosedReaderIsAnError) {
  ::signal(SIGPIPE, SIG_IGN);
  TestPipe pipe;
  const Stop stop = NewStop();
  PolledOutput output(pipe.in.get(), stop);
  pipe.out.Close();
  EXPECT_EQ(output.Write(std::vector<std::byte>(1)).error().message,
            "the next program of the job has closed its input");
}

TEST(PolledOutput, LeavesTheDescriptorAsItWas) {
  TestPipe pipe;
  const Stop stop = NewStop();
  {
    PolledOutput output(pipe.in.get(), stop);
    EXPECT_TRUE(::fcntl(pipe.in.get(), F_GETFL) & O_NONBLOCK);
  }
  EXPECT_FALSE(::fcntl(pipe.in.get(), F_GETFL) & O_NONBLOCK);
}

}  // namespace
}  // namespace halftoned
