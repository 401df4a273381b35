// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/machine_slots.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace halftoned {
namespace {

class MachineSlots : public ::testing::Test {
 protected:
  MachineSlots() {
    std::string folder = "/tmp/halftoned-slots-XXXXXX";
    folder_ = ::mkdtemp(folder.data());
    path_ = folder_ + "/slots";
  }
  ~MachineSlots() override {
    ::unlink(path_.c_str());
    ::rmdir(folder_.c_str());
  }
  MachineSlot Open(int slots) {
    return std::move(*MachineSlot::Open(path_, slots));
  }

  std::string folder_;
  std::string path_;
};

TEST_F(MachineSlots, AreAsManyAsTheyAre) {
  MachineSlot a = Open(2);
  MachineSlot b = Open(2);
  MachineSlot c = Open(2);
  EXPECT_TRUE(*a.TryTake());
  EXPECT_TRUE(*b.TryTake());
  EXPECT_FALSE(*c.TryTake());
  a.GiveBack();
  EXPECT_TRUE(*c.TryTake());
  EXPECT_FALSE(*a.TryTake());
}

TEST_F(MachineSlots, AreGivenBackByTheDead) {
  MachineSlot ours = Open(1);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto theirs = MachineSlot::Open(path_, 1);
    const char taken = theirs.ok() && *theirs->TryTake() ? 'y' : 'n';
    (void)!::write(ready[1], &taken, 1);
    ::pause();
    ::_exit(0);
  }
  char taken = 'n';
  ASSERT_EQ(::read(ready[0], &taken, 1), 1);
  ASSERT_EQ(taken, 'y');
  EXPECT_FALSE(*ours.TryTake());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(*ours.TryTake());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(MachineSlots, AreNotTakenInWhatIsNoFileOfOurs) {
  ASSERT_EQ(::symlink("/etc/hostname", path_.c_str()), 0);
  EXPECT_FALSE(MachineSlot::Open(path_, 1).ok());
}

}  // namespace
}  // namespace halftoned
