// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client trusts sockets of root, of its own user and of the configured owner,
// in a folder where nobody else can create sockets.

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/wire/daemon_side.h"
#include "tests/wire/listener.h"
#include "wire/remote_connection.h"

namespace halftoned::testing {
namespace {

constexpr uid_t kStranger = 65534;

class TrustTest : public ::testing::Test {
 protected:
  void Expect(const std::string& reason) {
    const auto connection = wire::RemoteConnection::Make(options_);
    if (reason.empty()) {
      EXPECT_TRUE(connection.ok()) << connection.error().message;
      return;
    }
    ASSERT_FALSE(connection.ok()) << "expected: " << reason;
    EXPECT_EQ(connection.error().code, ErrorCode::kUnavailable);
    EXPECT_NE(connection.error().message.find(reason), std::string::npos)
        << connection.error().message;
  }
  bool Own(const std::string& path, uid_t uid) {
    return ::lchown(path.c_str(), uid, static_cast<gid_t>(-1)) == 0;
  }

  const SamplePage page_{8, 1, 1};
  Listener listener_{[this](Descriptor socket) {
    DaemonSide daemon(std::move(socket), page_);
    daemon.Welcome();
    daemon.WaitForEnd();
  }};
  wire::RemoteOptions options_ = listener_.options();
};

TEST_F(TrustTest, GoesToItsOwnUser) { Expect(""); }

TEST_F(TrustTest, ReportsAMissingDaemon) {
  options_.socket = listener_.folder() + "/nothing";
  Expect("cannot reach halftoned at " + options_.socket +
         ": No such file or directory");
  options_.socket = listener_.folder();
  Expect("not a socket");
}

TEST_F(TrustTest, FollowsNoLinkToASocket) {
  const std::string link = listener_.folder() + "/link";
  ASSERT_EQ(::symlink(options_.socket.c_str(), link.c_str()), 0);
  options_.socket = link;
  Expect("not a socket");
  ::unlink(link.c_str());
}

TEST_F(TrustTest, StopsAtAFolderWhereOthersMayPutSockets) {
  const char* folder = listener_.folder().c_str();
  for (const mode_t mode : {0777, 0770, 0707, 0720}) {
    ASSERT_EQ(::chmod(folder, mode), 0);
    Expect("other users can put sockets there");
  }
  for (const mode_t mode : {01777, 0755, 0750}) {
    ASSERT_EQ(::chmod(folder, mode), 0);
    Expect("");
  }
}

TEST_F(TrustTest, StopsAtAStrangersSocketOrFolder) {
  if (!Own(options_.socket, kStranger)) GTEST_SKIP() << "needs root";
  Expect("belongs to user 65534");
  options_.owner = "nobody";
  Expect("");
  options_.owner.clear();
  ASSERT_TRUE(Own(options_.socket, ::getuid()));
  Expect("");
  ASSERT_TRUE(Own(listener_.folder(), kStranger));
  Expect("other users can put sockets there");
  options_.owner = "nobody";
  Expect("");
  ASSERT_TRUE(Own(listener_.folder(), ::getuid()));
}

TEST_F(TrustTest, StopsAtAStrangerWhoListensAtATrustedSocket) {
  if (::seteuid(kStranger) != 0) GTEST_SKIP() << "needs root";
  const int listens = ::listen(listener_.fd(), 10);
  ASSERT_EQ(::seteuid(0), 0);
  ASSERT_EQ(listens, 0);
  Expect("user 65534 listens there");
  options_.owner = "nobody";
  Expect("");
}

}  // namespace
}  // namespace halftoned::testing
