// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While jobs are listed, no hold changes.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <span>
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

TEST(Holds, AreFreeWhileAClientReadsAPage) {
  ServedFront served([](ipp_t* request, const std::string&) {
    return AnswerWithJob(request, 1);
  });
  Caller root = Somebody();
  root.is_admin = root.is_trusted = true;
  std::thread server = served.Serve(root);
  Descriptor client(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  served.Socket().copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(connect(client.get(), reinterpret_cast<sockaddr*>(&address),
                    sizeof(address)),
            0);
  const std::string request =
      "GET /office/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n";
  ASSERT_TRUE(WriteFully(client.get(), std::as_bytes(std::span(request))).ok());
  char status[13] = "";
  EXPECT_EQ(recv(client.get(), status, 12, MSG_WAITALL), 12);
  EXPECT_STREQ(status, "HTTP/1.1 200");
  EXPECT_TRUE(IsFree(served.front().settings.TurnFile() + ".holds", LOCK_EX));
  client.Close();
  server.join();
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
