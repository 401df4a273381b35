// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/shared_look.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace halftoned {
namespace {

TEST(SharedLook, IsMadeForEachWhoAsksAfterIt) {
  SharedLook look;
  int made = 0;
  for (int i = 1; i <= 3; ++i) {
    look.Do([&] { ++made; });
    EXPECT_EQ(made, i);
  }
}

TEST(SharedLook, IsMadeOnceForAllWhoWaitForAnother) {
  constexpr int kClients = 8;
  SharedLook look;
  int made = 0;
  std::vector<std::thread> clients;
  look.Do([&] {
    for (int i = 0; i < kClients; ++i) {
      clients.emplace_back([&] { look.Do([&] { ++made; }); });
    }
    while (look.waiting() < kClients) std::this_thread::yield();
  });
  for (std::thread& each : clients) each.join();
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace halftoned
