// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the check of halftone-printer-app makes of what systemd says.

#include <gtest/gtest.h>

#include <string>

#include "check/checks.h"

namespace halftoned {
namespace {

constexpr char kStart[] =
    "ExecStart={ path=/usr/bin/halftone-printer-app ; argv[]=/usr/bin/"
    "halftone-printer-app server -o server-port=8631 -o log-file=- ; }\n";

std::string Shown(const std::string& loaded, const std::string& active,
                  const std::string& enabled) {
  return kStart + ("LoadState=" + loaded) + "\nActiveState=" + active +
         "\nUnitFileState=" + enabled + "\n";
}

// The only finding.
Finding Found(const std::string& shown) {
  const Findings findings = ServiceFindings(shown);
  return findings.size() == 1 ? findings[0] : Wrong("not one finding", "");
}

TEST(PrinterService, IsInOrder) {
  EXPECT_EQ(Found(Shown("loaded", "active", "enabled")).kind,
            FindingKind::kGood);
}

TEST(PrinterService, IsLeftToUsersIfDisabledOrMasked) {
  EXPECT_EQ(Found(Shown("loaded", "inactive", "disabled")).kind,
            FindingKind::kGood);
  EXPECT_EQ(Found(Shown("masked", "inactive", "masked")).kind,
            FindingKind::kGood);
}

TEST(PrinterService, IsWrong) {
  for (const auto& [shown, what] :
       {std::pair(Shown("not-found", "inactive", ""), "does not know"),
        {Shown("loaded", "failed", "enabled"), "has failed"},
        {Shown("loaded", "failed", "disabled"), "has failed"},
        {Shown("loaded", "inactive", "enabled"), "is not active"},
        {Shown("loaded", "active", "disabled"), "at the next boot"}}) {
    const Finding finding = Found(shown);
    EXPECT_EQ(finding.kind, FindingKind::kWrong) << shown;
    EXPECT_NE(finding.what.find(what), std::string::npos) << finding.what;
    EXPECT_FALSE(finding.mend.empty());
  }
}

TEST(PrinterService, ListensAtThePortOfItsUnit) {
  EXPECT_EQ(ServicePort(Shown("loaded", "active", "enabled")), 8631);
  EXPECT_EQ(ServicePort(Shown("loaded", "inactive", "enabled")), 0);
  EXPECT_EQ(ServicePort("ActiveState=active\n"), 0);
}

}  // namespace
}  // namespace halftoned
