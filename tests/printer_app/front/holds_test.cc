// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While jobs are listed, no hold changes.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <string>
#include <thread>
#include <utility>

#include "printer_app/handover/job_lock.h"
#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

bool IsFree(const std::string& path, int how) {
  const auto file = Descriptor::Open(path, O_RDWR | O_CREAT, 0600);
  return file.ok() && flock(file->get(), how | LOCK_NB) == 0;
}

TEST(Holds, AreLockedWhilePapplListsOrChangesThem) {
  std::string path;
  bool can_read = false, can_change = true;
  ServedFront served([&](ipp_t* request, const std::string&) {
    can_read = IsFree(path + ".holds", LOCK_SH);
    can_change = IsFree(path + ".holds", LOCK_EX);
    return AnswerWithJob(request, 1);
  });
  path = served.front().settings.TurnFile();
  Caller root = Somebody();
  root.is_admin = root.is_trusted = true;
  for (const ipp_op_t operation :
       {IPP_OP_GET_JOBS, IPP_OP_GET_JOB_ATTRIBUTES, IPP_OP_HOLD_JOB}) {
    const bool changes = operation == IPP_OP_HOLD_JOB;
    ASSERT_TRUE(served.Ask(root, RequestFor(operation, 1)));
    EXPECT_EQ(served.pappl().Count(operation), 1) << operation;
    EXPECT_EQ(can_read, !changes) << operation;
    EXPECT_FALSE(can_change) << operation;
  }
}

TEST(Holds, AreNotReadByThoseWhoComeAfterAChange) {
  const std::string path = testing::TempDir() + "turn";
  Descriptor reader = LockToReadHolds(path);
  EXPECT_TRUE(LockToReadHolds(path).open());
  std::thread changer([&] { EXPECT_TRUE(LockToChangeHolds(path).open()); });
  while (IsFree(path + ".queue", LOCK_EX)) std::this_thread::yield();
  reader.Close();
  changer.join();
  EXPECT_TRUE(IsFree(path + ".queue", LOCK_EX));
  EXPECT_TRUE(IsFree(path + ".holds", LOCK_EX));
}

}  // namespace
}  // namespace halftoned
