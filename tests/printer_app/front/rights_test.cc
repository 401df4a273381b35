// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/rights.h"

#include <gtest/gtest.h>

#include <string>

#include "base/hosts.h"
#include "printer_app/front/rules/caller.h"

namespace halftoned {
namespace {

constexpr bool kOfSystem = true, kOfPrinter = false;

TEST(Rights, WhatChangesPrintersIsForAdministrators) {
  for (const ipp_op_t operation :
       {IPP_OP_PAUSE_PRINTER, IPP_OP_SET_PRINTER_ATTRIBUTES, IPP_OP_CANCEL_JOBS,
        IPP_OP_HOLD_NEW_JOBS, IPP_OP_DISABLE_PRINTER}) {
    EXPECT_EQ(RightFor(operation, kOfPrinter), Right::kAdmin) << operation;
  }
  for (const ipp_op_t operation :
       {IPP_OP_CREATE_PRINTER, IPP_OP_DELETE_PRINTER,
        IPP_OP_SET_SYSTEM_ATTRIBUTES, IPP_OP_PAUSE_ALL_PRINTERS}) {
    EXPECT_EQ(RightFor(operation, kOfSystem), Right::kAdmin) << operation;
  }
  EXPECT_EQ(RightFor(IPP_OP_SHUTDOWN_ALL_PRINTERS, kOfSystem), Right::kStop);
}

TEST(Rights, WhatIsNotListedIsNotServed) {
  EXPECT_EQ(RightFor(IPP_OP_CREATE_PRINTER, kOfPrinter), std::nullopt);
  EXPECT_EQ(RightFor(IPP_OP_PRINT_JOB, kOfSystem), std::nullopt);
  EXPECT_EQ(RightFor(IPP_OP_PRINT_URI, kOfPrinter), std::nullopt);
  int served = 0;
  for (int operation = 0; operation < 0x10000; ++operation) {
    served += RightFor(static_cast<ipp_op_t>(operation), kOfSystem).has_value();
  }
  EXPECT_LT(served, 30);
}

TEST(Caller, OnThisMachineIsWhoeverTheKernelSays) {
  const Caller alice{.is_local = true, .name = "alice"};
  EXPECT_EQ(UserOf(alice, "bob"), "alice");
  EXPECT_EQ(UserOf(Caller{.is_local = true}, "bob"), "");
  const Caller lp{.is_local = true, .is_trusted = true, .name = "lp"};
  EXPECT_EQ(UserOf(lp, "carol"), "carol");
  EXPECT_EQ(UserOf(lp, ""), "lp");
}

TEST(Caller, FarAwayIsBelievedUnlessAPasswordSaysBetter) {
  EXPECT_EQ(UserOf(Caller{}, "bob"), "bob");
  const Caller proven{.has_password = true, .name = "alice"};
  EXPECT_EQ(UserOf(proven, "bob"), "alice");
}

TEST(Caller, TouchesJobsOfItsOwn) {
  const Caller somebody;
  EXPECT_TRUE(MayTouch(somebody, "alice", "alice"));
  EXPECT_FALSE(MayTouch(somebody, "bob", "alice"));
  EXPECT_FALSE(MayTouch(somebody, "", ""));
  EXPECT_TRUE(MayTouch(Caller{.is_admin = true}, "bob", "alice"));
}

TEST(Hosts, AreAddressesLocalhostAndOwnNames) {
  const auto names = NamesOfMachine("Desk.example.org");
  for (const char* host :
       {"127.0.0.1", "127.0.0.1:8631", "[::1]:8631", "[fe80::1%eth0]",
        "localhost", "LOCALHOST:80", "localhost.", "desk.example.org:8631",
        "desk", "desk.local", "desk.local."}) {
    EXPECT_TRUE(IsOurHost(host, names)) << host;
  }
  for (const char* host :
       {"", "1.attacker.example", "1.attacker.example:8631", "evil.local",
        "127.0.0.1.evil.example", "[::1].evil.example",
        "localhost.evil.example", "desk.evil.example",
        "desk.example.org.evil.example", "127.0.0.1:x", "localhost:8631:1",
        "[]", "[::1%/]", "[", ":8631", "0x7f.1", "desk local"}) {
    EXPECT_FALSE(IsOurHost(host, names)) << host;
  }
  EXPECT_FALSE(IsOurHost("", {""}));
  using std::literals::operator""sv;
  EXPECT_FALSE(IsOurHost("127.0.0.1\0/"sv, names));
}

TEST(Hosts, OnlyLoopbackIsThisMachine) {
  for (const char* host : {"localhost", "LocalHost:8631", "127.0.0.1",
                           "127.9.9.9:8631", "[::1]", "[::1]:8631"}) {
    EXPECT_TRUE(IsThisMachine(host)) << host;
  }
  for (const char* host :
       {"", "desk", "desk.local", "128.0.0.1", "10.77.1.1:8631", "[fe80::1]",
        "[::ffff:127.0.0.1]", "::1", "127.0.0.1.example", "127.1",
        "localhost:x"}) {
    EXPECT_FALSE(IsThisMachine(host)) << host;
  }
}

TEST(Hosts, TellTheirOwnPages) {
  EXPECT_TRUE(IsFromHost("http://localhost:8631", "localhost:8631", false));
  EXPECT_TRUE(
      IsFromHost("https://LOCALHOST:8631/office/", "localhost:8631", false));
  EXPECT_TRUE(IsFromHost("http://desk", "desk:80", false));
  for (const char* page :
       {"", "null", "localhost:8631", "http://localhost:9999",
        "http://localhost:86310", "http://localhost:8631.evil.example/",
        "http://evil.example/localhost:8631", "http://localhost",
        "ftp://localhost:8631"}) {
    EXPECT_FALSE(IsFromHost(page, "localhost:8631", false)) << page;
  }
  EXPECT_FALSE(IsFromHost("http://", "", false));
  // Anyone on the network can change an unencrypted page.
  EXPECT_TRUE(IsFromHost("https://desk:8631/", "desk:8631", true));
  EXPECT_FALSE(IsFromHost("http://desk:8631/", "desk:8631", true));
}

}  // namespace
}  // namespace halftoned
