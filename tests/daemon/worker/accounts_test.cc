// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a job may hold of a worker, and what it leaves to others.

#include "daemon/worker/clients/accounts.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "tests/daemon/worker/hostile_client.h"
#include "tests/daemon/worker/test_worker.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {
namespace {

using daemon::Accounts;

// A share is 50, and the common half 500.
class AccountsTest : public ::testing::Test {
 protected:
  AccountsTest() {
    accounts_.SetLimits(
        {.all = {.memory = 1000, .device = 1000}, .connections = 10});
  }

  // The most memory that a charge may hold.
  static size_t MostOf(Accounts::Charge& charge) {
    size_t most = 0;
    for (size_t bytes = 0; bytes <= 1000; ++bytes) {
      if (charge.Set({.memory = bytes})) most = bytes;
    }
    return most;
  }

  Accounts accounts_;
};

TEST_F(AccountsTest, AJobLeavesAsMuchOfTheCommonHalfAsItTakes) {
  Accounts::Charge first(accounts_.Open({7, 1}));
  Accounts::Charge second(accounts_.Open({7, 2}));
  EXPECT_EQ(MostOf(first), 50u + 250u);
  EXPECT_EQ(MostOf(second), 50u + 125u);
  EXPECT_TRUE(first.Set({.memory = 10}));
  EXPECT_EQ(MostOf(second), 50u + 250u);
}

TEST_F(AccountsTest, ANewcomerGetsItsShareEvenFromGreedyJobs) {
  std::vector<std::unique_ptr<Accounts::Charge>> charges;
  for (uint32_t job = 1; job <= 10; ++job) {
    charges.push_back(
        std::make_unique<Accounts::Charge>(accounts_.Open({7, job})));
    EXPECT_GE(MostOf(*charges.back()), 50u) << job;
  }
  EXPECT_LE(accounts_.held().memory, 1000u);
  // There were to be ten jobs. None gets more than there is.
  Accounts::Charge one_more(accounts_.Open({7, 11}));
  (void)MostOf(one_more);
  EXPECT_LE(accounts_.held().memory, 1000u);
}

// A client takes nothing from the others of the job that it names.
TEST_F(AccountsTest, EveryConnectionHasAShareEvenInALargeJob) {
  std::vector<std::unique_ptr<Accounts::Charge>> charges;
  for (int i = 0; i < 10; ++i) {
    charges.push_back(
        std::make_unique<Accounts::Charge>(accounts_.Open({7, 1})));
    // The job has its half of the common half only once.
    EXPECT_EQ(MostOf(*charges.back()), i == 0 ? 300u : 50u);
  }
  EXPECT_EQ(accounts_.held().memory, 300u + 9 * 50u);
  charges.clear();
  EXPECT_EQ(accounts_.held(), Accounts::Bytes());
}

TEST_F(AccountsTest, ClientsOfAJobShareItsPartAndThoseWithoutOneDoNot) {
  Accounts::Charge first(accounts_.Open({7, 1}));
  Accounts::Charge second(accounts_.Open({7, 1}));
  EXPECT_TRUE(first.Set({.memory = 300}));
  EXPECT_FALSE(second.Set({.memory = 51}));
  Accounts::Charge of_other_user(accounts_.Open({8, 1}));
  EXPECT_TRUE(of_other_user.Set({.memory = 100}));
  Accounts::Charge no_job(accounts_.Open({7, 0}));
  Accounts::Charge no_job_either(accounts_.Open({7, 0}));
  EXPECT_TRUE(no_job.Set({.memory = 50}));
  EXPECT_TRUE(no_job_either.Set({.memory = 50}));
}

TEST_F(AccountsTest, MemoryOfTheDeviceIsChargedToo) {
  Accounts::Charge charge(accounts_.Open({7, 1}));
  EXPECT_FALSE(charge.Set({.memory = 10, .device = 301}));
  EXPECT_EQ(accounts_.held(), Accounts::Bytes());
  EXPECT_TRUE(charge.Set({.memory = 10, .device = 300}));
  EXPECT_EQ(accounts_.held(), (Accounts::Bytes{10, 300}));
}

TEST_F(AccountsTest, ReleasedMemoryCanBeHeldAgain) {
  for (int i = 0; i < 100; ++i) {
    Accounts::Charge charge(accounts_.Open({7, 1}));
    ASSERT_TRUE(charge.Set({.memory = 300, .device = 300}));
  }
  EXPECT_EQ(accounts_.held(), Accounts::Bytes());
}

TEST(WorkerAccounts, LeaveMemoryToOthersWhenTwoConnectionsTakeAllTheyCan) {
  const SamplePage page;
  Pool pool(1);
  const EngineList local = LocalEngines(pool);
  const size_t bytes =
      daemon::PageWork::BytesOf(page.open(), false, *local[0]).memory;
  TestWorker::Setting setting;
  setting.limits = {.all = {.memory = 100 * bytes}, .connections = 8};
  TestWorker worker(setting);
  std::vector<HostileClient> greedy;
  for (const uint32_t job : {1, 2}) {
    // Ever smaller pages, until one is open.
    uint32_t number = 1;
    wire::Open open = page.open();
    open.rows_per_band *= 100;
    HostileClient client(worker.Connect(job), page);
    for (;; ++number) {
      const uint64_t failed = worker.Ask().counters.failed_pages;
      client.SendFrame(wire::FrameType::kOpen, number, Encode(open));
      daemon::Report report = worker.Ask();
      while (report.counters.failed_pages == failed &&
             report.connections.back().page != number) {
        report = worker.Ask();
      }
      if (report.connections.back().page == number) break;
      open.rows_per_band -= page.rows_per_band();
      ASSERT_GT(open.rows_per_band, 0);
      EXPECT_EQ(client.ReceiveFailure(), Accounts::Refusal().message);
    }
    greedy.push_back(std::move(client));
  }
  EXPECT_GT(worker.Ask().page_bytes, 40 * bytes);
  wire::RemoteOptions options = worker.options();
  options.use_ring = false;
  EXPECT_EQ(RunPage(page, wire::RemoteEngine(options)), "");
}

TEST(WorkerAccounts, ChargeForAnIncompleteFrame) {
  const SamplePage page;
  TestWorker::Setting setting;
  setting.limits = {.all = {.memory = size_t{1} << 20}, .connections = 2};
  TestWorker worker(setting);
  HostileClient client(worker.Connect(), page);
  const wire::Bytes frame = client.Frame(wire::FrameType::kOpen, 1,
                                         wire::Bytes(wire::kMaxPayloadBytes));
  client.Send(wire::View(frame).first(frame.size() / 2));
  EXPECT_EQ(client.ReceiveFailure(), Accounts::Refusal().message);
  EXPECT_EQ(worker.WaitForClosed().reason, Accounts::Refusal().message);
  EXPECT_EQ(worker.Ask().page_bytes, 0u);
}

}  // namespace
}  // namespace halftoned::testing
