// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expectations of all tests of hostile clients: the connection ends, and
// the reason is counted and reported; a page of another client comes out right;
// and nothing of the hostile client is left behind.

#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/daemon/worker/hostile_client.h"
#include "tests/daemon/worker/staged_engine.h"
#include "tests/daemon/worker/test_worker.h"
#include "tests/wire/resources.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {

// A page that fails at once, which is a reply.
inline void SendUnknownRecipe(HostileClient& client, uint32_t number) {
  wire::Bytes open = Encode(client.page.open());
  open[21] = std::byte{77};  // the algorithm
  client.SendFrame(wire::FrameType::kOpen, number, open);
}

using Act = std::function<void(HostileClient&)>;

class HostileClientTest : public ::testing::Test {
 protected:
  TestWorker::Setting Setting() {
    stage_.width = kStagedWidth;
    TestWorker::Setting setting;
    setting.engines = &engines_;
    return setting;
  }

  HostileClientTest() { EXPECT_EQ(RunPage(page_, engine_), ""); }

  // The result of `act`, while another client's page is open.
  daemon::Closed Do(const Act& act) {
    worker_.AwaitAdopted();
    const Resources before = Resources::Held();
    PageRun beside(page_, engine_);
    EXPECT_EQ(beside.Go(1), "");
    {
      HostileClient client(worker_.Connect(), page_);
      act(client);
    }
    daemon::Closed closed = worker_.WaitForClosed();
    EXPECT_EQ(beside.GoToEnd(), "");
    worker_.AwaitAdopted();
    EXPECT_EQ(Resources::HeldAtLast(before), before);
    return closed;
  }

  // The client is told, the worker reports it, and it is counted.
  void ExpectRefused(const std::string& name, const std::string& reason,
                     const Act& act) {
    SCOPED_TRACE(name);
    const daemon::Closed closed = Do([&](HostileClient& client) {
      act(client);
      EXPECT_NE(client.ReceiveFailure().find(reason), std::string::npos);
      std::byte byte;
      EXPECT_FALSE(client.ReceiveBytes({&byte, 1})) << "it is still open";
    });
    EXPECT_NE(closed.reason.find(reason), std::string::npos) << closed.reason;
    EXPECT_EQ(closed.counters.protocol_errors, 1u);
  }

  static constexpr int kStagedWidth = 999;
  const SamplePage page_;
  StagedEngine::Stage stage_;
  const EngineList engines_ = StagedEngine::ListOf(stage_);
  TestWorker worker_{Setting()};
  const wire::RemoteEngine engine_{worker_.options()};
};

}  // namespace halftoned::testing
