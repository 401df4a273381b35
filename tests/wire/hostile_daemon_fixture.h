// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expectations of all tests of hostile daemons: the session reports once
// that it cannot go on, and why; behind a failover session the page comes out
// right.

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "halftone/cpu/local_engines.h"
#include "halftone/run/failover.h"
#include "tests/wire/daemon_side.h"
#include "tests/wire/listener.h"
#include "tests/wire/resources.h"
#include "tests/wire/sample_page.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {

using Deed = std::function<void(DaemonSide&)>;

// Done once the connection is open and so many bands have been answered.
inline Deed After(int bands, const Deed& deed) {
  return [=](DaemonSide& daemon) {
    daemon.Welcome();
    daemon.Serve(bands);
    deed(daemon);
  };
}

class HostileDaemonTest : public ::testing::Test {
 protected:
  HostileDaemonTest() : HostileDaemonTest(SamplePage()) {}
  explicit HostileDaemonTest(const SamplePage& page) : page_(page) {}

  // The whole page, in one of two ways.
  static std::string Run(PageRun& run, const SamplePage& page, bool ahead) {
    if (!ahead) return run.GoToEnd();
    std::string failure;
    for (int i = 0; i < page.bands() && failure.empty(); ++i) {
      failure = run.Submit();
    }
    for (int i = 0; i < page.bands() && failure.empty(); ++i) {
      failure = run.Take();
    }
    return failure;
  }

  wire::RemoteOptions Options(const Listener& listener) const {
    wire::RemoteOptions options = listener.options();
    options.use_ring = use_ring_;
    options.patience = patience_;
    return options;
  }

  // Every connection gets `deed`, and is then closed.
  void ExpectUnavailable(const std::string& reason, const Deed& deed) {
    SCOPED_TRACE(reason);
    const Resources before = Resources::Held();
    {
      Listener listener([&](Descriptor socket) {
        DaemonSide daemon(std::move(socket), page_);
        deed(daemon);
      });
      for (const bool ahead : {false, true}) {
        ExpectFailure(listener, reason, ahead);
        ExpectFailover(listener, ahead);
      }
    }
    EXPECT_EQ(Resources::HeldAtLast(before), before);
  }
  void ExpectFailure(const Listener& listener, const std::string& reason,
                     bool ahead) {
    const wire::RemoteEngine remote(Options(listener));
    const FailoverEngine engine({&remote});
    PageRun run(page_, engine);
    const std::string failure = Run(run, page_, ahead);
    EXPECT_NE(failure.find(reason), std::string::npos) << failure;
    EXPECT_EQ(failure.find('\n'), std::string::npos) << failure;
    EXPECT_EQ(run.code(), ErrorCode::kUnavailable) << failure;
    EXPECT_EQ(run.Take(), failure);
  }
  void ExpectFailover(const Listener& listener, bool ahead) {
    const wire::RemoteEngine remote(Options(listener));
    int moves = 0;
    const FailoverEngine engine({&remote, &remote, local_},
                                [&](const Move&) { ++moves; });
    PageRun run(page_, engine);
    EXPECT_EQ(Run(run, page_, ahead), "");
    // The second connection may complete it.
    EXPECT_GE(moves, 1);
    EXPECT_LE(moves, 2);
  }

  // The same after any number of correct bands.
  void ExpectUnavailableAfterAnyBand(const std::string& reason,
                                     const Deed& deed) {
    for (int bands = 0; bands < page_.bands(); ++bands) {
      SCOPED_TRACE(bands);
      ExpectUnavailable(reason, After(bands, deed));
    }
  }
  // Instead of the answer to a band.
  void ExpectAnswerRefused(const std::string& reason, const Deed& deed) {
    ExpectUnavailableAfterAnyBand(reason, [&](DaemonSide& daemon) {
      if (!daemon.HearBand()) return;
      deed(daemon);
      daemon.WaitForEnd();
    });
  }

  const SamplePage page_;
  bool use_ring_ = false;
  std::chrono::milliseconds patience_{20'000};
  Pool pool_{1};
  const EngineList engines_ = LocalEngines(pool_);
  const Engine* const local_ =
      *ChooseEngine(engines_, "auto", Recipe::FloydSteinberg());
  // Starts the thread now, so that no thread appears later.
  const std::string warm_up_ = RunPage(page_, *local_);
};

}  // namespace halftoned::testing
