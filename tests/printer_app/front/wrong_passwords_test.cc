// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/wrong_passwords.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

TEST(WrongPasswords, AreRememberedForAMinute) {
  WrongPasswords passwords;
  const WrongPasswords::Time start;
  passwords.Add("192.0.2.1", start);
  EXPECT_TRUE(passwords.Has("192.0.2.1", start + std::chrono::seconds(59)));
  EXPECT_FALSE(passwords.Has("192.0.2.1", start + WrongPasswords::kRemembered));
  EXPECT_FALSE(passwords.Has("192.0.2.2", start));
}

TEST(WrongPasswords, OfMoreSitesThanCanBeRememberedMakeRoomLater) {
  WrongPasswords passwords;
  const WrongPasswords::Time start;
  for (size_t i = 0; i <= WrongPasswords::kMostSites; ++i) {
    passwords.Add(std::to_string(i), start);
  }
  const std::string last = std::to_string(WrongPasswords::kMostSites);
  EXPECT_FALSE(passwords.Has(last, start));
  passwords.Add(last, start + WrongPasswords::kRemembered);
  EXPECT_TRUE(passwords.Has(last, start + WrongPasswords::kRemembered));
}

}  // namespace
}  // namespace halftoned
