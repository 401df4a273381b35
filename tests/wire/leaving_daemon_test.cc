// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Daemons that drip, evict pages, leave, or close their door.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "base/unix_socket.h"
#include "halftone/run/failover.h"
#include "tests/wire/daemon_side.h"
#include "tests/wire/hostile_daemon_fixture.h"
#include "tests/wire/listener.h"
#include "tests/wire/sample_page.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {
namespace {

using wire::Bytes;
using wire::FrameType;
using wire::View;

// Sends a byte every few milliseconds until the client has had enough.
void Drip(DaemonSide& daemon, View bytes) {
  for (const std::byte& byte : bytes) {
    pollfd wait{daemon.fd(), POLLRDHUP, 0};
    if (::poll(&wait, 1, 5) != 0 || !daemon.Send({&byte, 1})) return;
  }
}

TEST_F(HostileDaemonTest, CannotDripForever) {
  patience_ = std::chrono::milliseconds(100);
  const std::string reason = "the daemon did not answer within 100 ms";
  ExpectUnavailable(reason, [](DaemonSide& daemon) {
    Drip(daemon, daemon.Frame(FrameType::kWelcome, 0, Bytes(1 << 20)));
  });
  ExpectUnavailable(reason, After(0, [](DaemonSide& daemon) {
                      daemon.HearBand();
                      Drip(daemon,
                           daemon.Frame(FrameType::kAnswer, 1, Bytes(1 << 20)));
                    }));
}

TEST_F(HostileDaemonTest, CannotEvictForever) {
  ExpectUnavailableAfterAnyBand(
      "asked 4 times again: the daemon has evicted the page",
      [](DaemonSide& daemon) {
        while (daemon.HearBand()) daemon.Evict();
      });
}

// This is no failure: the page continues where it was.
TEST_F(HostileDaemonTest, MayEvictThePageAtAnyMoment) {
  for (const bool ahead : {false, true}) {
    for (int at = 0; at <= page_.bands(); ++at) {
      SCOPED_TRACE(at);
      std::atomic<int> evicted = 0;
      Listener listener([&](Descriptor socket) {
        DaemonSide daemon(std::move(socket), page_);
        daemon.Welcome();
        daemon.Serve(page_.bands(), at);
        evicted = daemon.heard;
        daemon.WaitForEnd();
      });
      {
        const wire::RemoteEngine remote(Options(listener));
        const FailoverEngine engine({&remote});
        PageRun run(page_, engine);
        EXPECT_EQ(Run(run, page_, ahead), "");
      }
      listener.Stop();
      // The page was opened twice, and at least the band at which it was
      // evicted was sent twice.
      EXPECT_GE(evicted, 1 + page_.bands() + 1 + (at > 0 ? 1 : 0));
    }
  }
}

// Nor is this an error: the page continues at the next engine.
TEST_F(HostileDaemonTest, MayLeaveOnceItHasEvictedThePage) {
  for (const bool ahead : {false, true}) {
    for (int at = 0; at <= page_.bands(); ++at) {
      SCOPED_TRACE(at);
      int connections = 0;
      Listener listener([&](Descriptor socket) {
        DaemonSide daemon(std::move(socket), page_);
        daemon.Welcome();
        if (connections++ > 0) {
          daemon.Serve(page_.bands());
          daemon.WaitForEnd();
          return;
        }
        while (daemon.Hear() && daemon.heard <= at) {
          if (daemon.unanswered > 0) daemon.SendNextAnswer();
        }
        daemon.Evict();
      });
      {
        const wire::RemoteEngine remote(Options(listener));
        const FailoverEngine engine({&remote});
        PageRun run(page_, engine);
        EXPECT_EQ(Run(run, page_, ahead), "");
      }
      listener.Stop();
      EXPECT_EQ(connections, 2);
    }
  }
}

// The daemon does not wait for a hello that it will not read.
TEST_F(HostileDaemonTest, GivesTheReasonForARefusalEvenIfItClosesEarly) {
  const std::string folder =
      ::testing::TempDir() + "listener-" + std::to_string(::getpid());
  ASSERT_EQ(::mkdir(folder.c_str(), 0700), 0);
  wire::RemoteOptions options;
  options.socket = folder + "/socket";
  {
    auto listener = ListenAt(options.socket);
    ASSERT_TRUE(listener.ok()) << listener.error().message;
    constexpr int kTimes = 200;
    std::thread daemon([&] {
      for (int i = 0; i < kTimes; ++i) {
        pollfd wait{listener->get(), POLLIN, 0};
        ::poll(&wait, 1, -1);
        DaemonSide(Descriptor(::accept(listener->get(), nullptr, nullptr)),
                   page_)
            .SendFailed(0);
      }
    });
    for (int i = 0; i < kTimes; ++i) {
      const auto made = wire::RemoteConnection::Make(options);
      EXPECT_EQ(made.ok() ? "" : made.error().message,
                "the daemon refused: out of toner");
    }
    daemon.join();
  }
  ::unlink(options.socket.c_str());
  ::rmdir(folder.c_str());
}

}  // namespace
}  // namespace halftoned::testing
