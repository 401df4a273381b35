// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/pulse.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "printer_app/front/client/listeners.h"
#include "printer_app/front/pappl/pappl_process.h"

namespace halftoned {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class PulseTest : public testing::Test {
 protected:
  void SetUp() override {
    pulse_.Reset(now_);
    (void)pulse_.IsSilent(now_, false);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void Listen() {
    auto listener = ListenAtPath(socket_);
    ASSERT_TRUE(listener.ok());
    listener_ = std::move(*listener);
  }
  // Takes a question; not open: there is none.
  Descriptor Take() {
    return Descriptor(accept(listener_.get(), nullptr, nullptr));
  }
  // Looks often; how long until it is silent for too long.
  seconds SilentAfter(seconds most, bool is_idle = false) {
    const auto begin = now_;
    while (now_ - begin < most) {
      now_ += pulse_.Pause(is_idle);
      if (pulse_.IsSilent(now_, is_idle)) break;
    }
    return std::chrono::duration_cast<seconds>(now_ - begin);
  }

  static std::string NewFolder() {
    std::string path = std::filesystem::temp_directory_path() / "pulse-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    return path;
  }

  const std::string folder_ = NewFolder();
  const std::string socket_ = folder_ + "/socket";
  PapplPulse pulse_{socket_, seconds(60)};
  PapplPulse::Clock::time_point now_ = PapplPulse::Clock::now();
  Descriptor listener_;
};

TEST_F(PulseTest, WithoutAnAnswerItIsSilentAfterTheTime) {
  Listen();
  // 15 s until the first question.
  const seconds after = SilentAfter(minutes(5));
  EXPECT_GE(after, seconds(75));
  EXPECT_LE(after, seconds(77));
  EXPECT_TRUE(Take().open());
}

TEST_F(PulseTest, AnAnswerOrAnEndIsEnough) {
  Listen();
  for (int i = 0; i < 20; ++i) {
    (void)SilentAfter(seconds(20));
    const Descriptor question = Take();
    ASSERT_TRUE(question.open());
    char room[256];
    const ssize_t size = recv(question.get(), room, sizeof(room), 0);
    EXPECT_TRUE(std::string_view(room, static_cast<size_t>(size))
                    .ends_with("\r\n\r\n"));
    if (i % 2 == 0) {
      EXPECT_EQ(send(question.get(), "HTTP", 4, 0), 4);
    } else {
      shutdown(question.get(), SHUT_RDWR);
    }
    now_ += milliseconds(250);
    EXPECT_FALSE(pulse_.IsSilent(now_, false));
    EXPECT_GT(pulse_.Pause(false), seconds(14));
  }
}

TEST_F(PulseTest, OneThatDoesNotListenStarts) {
  EXPECT_GE(SilentAfter(minutes(20)), minutes(20));
}

TEST_F(PulseTest, OneWhoseSocketIsGoneIsSilent) {
  Listen();
  (void)SilentAfter(seconds(20));
  Descriptor question = Take();
  ASSERT_TRUE(question.open());
  question.Close();
  listener_.Close();
  std::filesystem::remove(socket_);
  EXPECT_LE(SilentAfter(minutes(5)), seconds(77));
  // The next one may take long to start.
  pulse_.Reset(now_);
  EXPECT_GE(SilentAfter(minutes(20)), minutes(20));
}

TEST_F(PulseTest, OneThatIsExcusedGetsAsMuchTimeAgain) {
  Listen();
  (void)SilentAfter(minutes(5));
  pulse_.Excuse();
  EXPECT_FALSE(pulse_.IsSilent(now_, false));
  const seconds after = SilentAfter(minutes(5));
  EXPECT_GE(after, seconds(60));
  EXPECT_LE(after, seconds(62));
}

// Who spawns a process waits like that, until it has opened its files.
TEST_F(PulseTest, AThreadThatCannotBeInterruptedIsSeen) {
  const pid_t sleeper = fork();
  if (sleeper == 0) {
    pause();
    _exit(0);
  }
  while (WaitsForDisk(sleeper)) std::this_thread::yield();  // it starts
  kill(sleeper, SIGKILL);
  waitpid(sleeper, nullptr, 0);
  EXPECT_FALSE(WaitsForDisk(sleeper));
  const std::string fifo = folder_ + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), S_IRUSR | S_IWUSR), 0);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, fifo.c_str(), O_RDONLY, 0);
  const pid_t parent = fork();
  if (parent == 0) {
    setpgid(0, 0);
    char* const words[] = {nullptr};
    pid_t child = 0;
    posix_spawn(&child, "/bin/true", &files, nullptr, words, words);
    _exit(0);
  }
  posix_spawn_file_actions_destroy(&files);
  while (!WaitsForDisk(parent)) {
    ASSERT_EQ(waitpid(parent, nullptr, WNOHANG), 0);
    std::this_thread::yield();
  }
  kill(-parent, SIGKILL);
  waitpid(parent, nullptr, 0);
}

TEST_F(PulseTest, AFullQueueIsNoAnswer) {
  Listen();
  ASSERT_EQ(listen(listener_.get(), 0), 0);
  PapplPulse first(socket_, seconds(60));
  first.Reset(now_);
  EXPECT_FALSE(first.IsSilent(now_ + seconds(20), false));  // takes the place
  const seconds after = SilentAfter(minutes(5));
  EXPECT_LE(after, seconds(77));
}

TEST_F(PulseTest, TimeInWhichNobodyLooksDoesNotCount) {
  Listen();
  now_ += seconds(20);
  EXPECT_FALSE(pulse_.IsSilent(now_, false));
  for (int i = 0; i < 50; ++i) {
    now_ += minutes(10);
    EXPECT_FALSE(pulse_.IsSilent(now_, false));
  }
}

TEST_F(PulseTest, ItIsSeldomAskedWithoutClients) {
  Listen();
  EXPECT_EQ(pulse_.Pause(true), minutes(10));
  EXPECT_FALSE(pulse_.IsSilent(now_ + minutes(9), true));
  EXPECT_FALSE(Take().open());
  EXPECT_LE(SilentAfter(minutes(20), true), minutes(12));
}

}  // namespace
}  // namespace halftoned
