// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/printer_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

namespace halftoned {
namespace {

TEST(PrinterGate, ShutsRequestsOutOfAPrinterThatGoes) {
  PrinterGate gate;
  {
    const PrinterGate::Deletion deletion(gate, "a");
    EXPECT_TRUE(deletion.is_allowed());
    EXPECT_FALSE(PrinterGate::Deletion(gate, "a").is_allowed());
    EXPECT_FALSE(PrinterGate::Use(gate, "a").is_allowed());
    EXPECT_TRUE(PrinterGate::Use(gate, "b").is_allowed());
    EXPECT_TRUE(PrinterGate::Use(gate, "").is_allowed());
  }
  EXPECT_TRUE(PrinterGate::Use(gate, "a").is_allowed());
}

TEST(PrinterGate, EndsTheRequestsOfAPrinterThatGoes) {
  PrinterGate gate;
  int ended = 0;
  const auto end = [&] { ++ended; };
  const PrinterGate::Use first(gate, "a", end), second(gate, "a", end);
  const PrinterGate::Use other(gate, "b", [] { FAIL(); });
  const PrinterGate::Use all(gate, "", [] { FAIL(); });
  const PrinterGate::Deletion deletion(gate, "a");
  EXPECT_EQ(ended, 2);
}

TEST(PrinterGate, LetsADeletionWaitForRequests) {
  PrinterGate gate;
  auto own = std::make_unique<PrinterGate::Use>(gate, "a");
  auto all = std::make_unique<PrinterGate::Use>(gate, "");
  const PrinterGate::Use other(gate, "b");
  std::atomic<int> step = 0;
  std::thread deleter([&] {
    PrinterGate::Deletion deletion(gate, "a");
    step = 1;
    deletion.WaitForItsRequests();
    step = 2;
    deletion.WaitForAll();
    step = 3;
    EXPECT_EQ(all, nullptr);
  });
  while (step < 1) std::this_thread::yield();
  own.reset();
  while (step < 2) std::this_thread::yield();
  all.reset();
  deleter.join();
  EXPECT_EQ(step, 3);
}

TEST(PrinterGate, KeepsRequestsForAllPrintersOutsideAtTheEnd) {
  PrinterGate gate;
  std::atomic<bool> is_over = false;
  std::thread late;
  {
    PrinterGate::Deletion deletion(gate, "a");
    deletion.WaitForItsRequests();
    deletion.WaitForAll();
    late = std::thread([&] {
      const PrinterGate::Use use(gate, "");
      EXPECT_TRUE(is_over);
    });
    is_over = true;
  }
  late.join();
}

}  // namespace
}  // namespace halftoned
