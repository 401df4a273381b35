// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a GPU worker together, on more threads than most machines would
// have it use: clients on several loops, whose bands are checked, and a
// supervisor that asks meanwhile.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "daemon/worker/recipe_kinds.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/gpu/host/cuda_engine.h"
#include "halftone/run/checked.h"
#include "tests/daemon/worker/hostile_client.h"
#include "tests/daemon/worker/test_worker.h"
#include "tests/halftone/gpu/fake/fake_gpu.h"
#include "tests/wire/sample_page.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {
namespace {

// So the daemon gives these pages to other workers.
TEST(ServedByAGpu, BestIsForTwoLevelsAlone) {
  ResetFakeGpu();
  const auto device = OpenCudaDevice(0);
  ASSERT_TRUE(device.ok());
  EngineList gpu;
  gpu.push_back(std::make_unique<CudaEngine>(**device));
  const daemon::Ready on_gpu{.recipe_kinds = daemon::KindsServedBy(gpu)};
  Pool pool(1);
  const daemon::Ready on_cpu{.recipe_kinds =
                                 daemon::KindsServedBy(LocalEngines(pool))};
  for (const Algorithm algorithm : {Algorithm::kFine, Algorithm::kBest}) {
    for (const int levels : {2, 4, 8, 16}) {
      Recipe::Parts parts = Recipe::PartsOf(algorithm);
      parts.levels = levels;
      for (const int32_t pure : {0, 1}) {
        parts.parameters[Recipe::kPure] = pure;
        EXPECT_TRUE(on_cpu.Serves(KindOf(parts)));
        EXPECT_EQ(on_gpu.Serves(KindOf(parts)),
                  algorithm == Algorithm::kFine || levels == 2);
      }
    }
  }
}

TEST(ServedByAGpu, ClientsOfSeveralLoopsShareIt) {
  constexpr int kClients = 8;
  constexpr int kPages = 3;  // of each client
  ResetFakeGpu();
  const auto device = OpenCudaDevice(0);
  ASSERT_TRUE(device.ok());
  const CudaEngine gpu(**device);
  Pool pool(2);
  const EngineList local = LocalEngines(pool);
  EngineList engines;
  std::atomic<int> wrong = 0;
  auto checked = std::make_unique<CheckedEngine>(
      gpu, **ChooseEngine(local, "auto", Recipe::Fine()),
      CheckedEngine::Options{3, [&](const std::string&) { ++wrong; }});
  const CheckedEngine& checks = *checked;
  engines.push_back(std::move(checked));
  {
    TestWorker::Setting setting;
    setting.engines = &engines;
    setting.loops = 4;
    TestWorker worker(setting);
    std::vector<std::string> failures(kClients);
    std::atomic<int> at_work = kClients;
    std::vector<std::thread> clients;
    for (int i = 0; i < kClients; ++i) {
      clients.emplace_back([&, i] {
        wire::RemoteOptions options = worker.options();
        options.use_ring = i % 2 == 0;
        const wire::RemoteEngine engine(options);
        const SamplePage page(200 + 77 * i);
        for (int n = 0; n < kPages; ++n) {
          failures[static_cast<size_t>(i)] += RunPage(page, engine);
        }
        --at_work;
      });
    }
    uint64_t rows = 0;
    while (at_work > 0) {
      const uint64_t now = worker.Ask().counters.rows;
      EXPECT_GE(now, rows);
      rows = now;
    }
    for (std::thread& client : clients) client.join();
    for (const std::string& failure : failures) EXPECT_EQ(failure, "");
    daemon::Report report = worker.Ask();
    // Rings are let go on a thread of their own.
    while (report.page_bytes > 0) report = worker.Ask();
    EXPECT_EQ(report.counters.pages, uint64_t{kClients * kPages});
    EXPECT_EQ(report.last_minute.pages, uint64_t{kClients * kPages});
  }
  // A page has three bands.
  EXPECT_EQ(checks.checks(), uint64_t{kClients * kPages});
  EXPECT_EQ(wrong, 0);
}

TEST(ServedByAGpu, AJobIsChargedForMemoryOfTheGpu) {
  ResetFakeGpu();
  const auto device = OpenCudaDevice(0);
  ASSERT_TRUE(device.ok());
  EngineList engines;
  engines.push_back(std::make_unique<CudaEngine>(**device));
  const SamplePage page;
  const size_t bytes = (*device)->BytesOf(page.order());
  EXPECT_GT(bytes, page.gray_band_bytes());
  TestWorker::Setting setting;
  setting.engines = &engines;
  // Room for a page of each of two jobs.
  setting.limits.all.device = 7 * bytes;
  TestWorker worker(setting);
  const auto open = [&](uint32_t job) {
    auto client = std::make_unique<HostileClient>(worker.Connect(job), page);
    client->Open();
    client->SendInline(0);
    return client;
  };
  const auto answered = [](HostileClient& client) {
    const auto reply = client.Receive();
    return reply && reply->header.type == wire::FrameType::kAnswer;
  };
  const auto first = open(1);
  EXPECT_TRUE(answered(*first));
  const auto refused = open(1);
  EXPECT_EQ(refused->ReceiveFailure(), daemon::Accounts::Refusal().message);
  const auto second = open(2);
  EXPECT_TRUE(answered(*second));
}

}  // namespace
}  // namespace halftoned::testing
