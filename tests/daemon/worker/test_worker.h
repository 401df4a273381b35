// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A real worker on a thread of the test, behind a real socket. This class does
// the supervisor's part before a connection is handed over, without its limits.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "control/control.h"
#include "daemon/worker/worker.h"
#include "halftone/run/engine.h"
#include "halftone/run/pool.h"
#include "tests/wire/listener.h"
#include "tests/wire/raw_peer.h"
#include "wire/remote_connection.h"

namespace halftoned::testing {

class TestWorker {
 public:
  struct Setting {
    const EngineList* engines = nullptr;  // instead of those of this machine
    int threads = 2;
    int loops = 1;
    uint32_t band_bytes = 0;
    daemon::Accounts::Limits limits = {};
    // A busy machine may take long for a test.
    std::chrono::milliseconds page_idle = std::chrono::hours(1);
    std::chrono::milliseconds frame_patience = std::chrono::hours(1);
  };

  TestWorker() : TestWorker(Setting()) {}
  explicit TestWorker(Setting setting);
  // Drains the worker and waits for it.
  ~TestWorker();
  TestWorker(const TestWorker&) = delete;
  TestWorker& operator=(const TestWorker&) = delete;

  // How to connect to it.
  wire::RemoteOptions options() const { return listener_->options(); }

  // A connection to the worker, whose welcome has been read. No other copy of
  // its descriptors is left. is_check: a health check of the supervisor.
  RawPeer Connect(uint32_t job = 0, bool is_check = false);

  // Waits until this class has no copy of a connection left.
  void AwaitAdopted() const;

  void Drain();
  // Its Ready message.
  daemon::Report Ask();
  // Waits for the next connection to end; returns why it ended.
  daemon::Closed WaitForClosed();

 private:
  void Adopt(Descriptor socket, uint32_t job = 0, bool is_check = false);
  daemon::FromWorker NextMessage();

  Pool pool_;
  EngineList engines_;
  daemon::Shop shop_;
  std::atomic<uint64_t> connections_ = 0;
  std::atomic<uint64_t> adopted_ = 0;  // of them
  std::unique_ptr<daemon::Control> control_;
  std::vector<daemon::Closed> closed_;
  std::thread worker_;
  std::unique_ptr<Listener> listener_;
};

}  // namespace halftoned::testing
