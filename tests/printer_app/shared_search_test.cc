// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/shared_search.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace halftoned {
namespace {

TEST(SharedSearch, IsMadeAgainOnceItsResultIsOld) {
  SharedSearch<int> search;
  auto now = SharedSearch<int>::Clock::now();
  int made = 0;
  const auto get = [&] {
    return search.Get([&] { return ++made; }, [&] { return now; });
  };
  EXPECT_EQ(get(), 1);
  now += search.kMostOfAge;
  EXPECT_EQ(get(), 1);
  now += std::chrono::milliseconds(1);
  EXPECT_EQ(get(), 2);
}

TEST(SharedSearch, RunsOnceForAllWhoWaitForIt) {
  SharedSearch<int> search;
  std::atomic<int> made = 0, waiting = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&] {
      ++waiting;
      const int found = search.Get([&] {
        while (waiting < 8) std::this_thread::yield();
        return ++made;
      });
      EXPECT_EQ(found, 1);
    });
  }
  for (std::thread& each : clients) each.join();
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace halftoned
