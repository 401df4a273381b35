// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/change/ghostscript_driver.h"

#include <gtest/gtest.h>

#include <string>

namespace halftoned {
namespace {

std::string Verdict(const std::string& lines) {
  const auto checked = GhostscriptDriverOf(lines);
  return checked.ok() ? "adopted" : checked.error().message;
}

std::string Command(const std::string& command) {
  return "*ColorDevice: False\n*FoomaticRIPCommandLine: \"" + command +
         "\"\n*End\n";
}

TEST(GhostscriptDriver, IsAdoptedWithAKnownDevice) {
  EXPECT_EQ(Verdict(Command("gs -q -sDEVICE=ljet4%A%Z -sOutputFile=- -")),
            "adopted");
  EXPECT_EQ(
      Verdict(Command("(printf 'x');\n(gs -q -sDEVICE=pxlmono %A | sed)")),
      "adopted");
  EXPECT_EQ(Verdict(Command("foo2zjs-wrapper %A")), "adopted");
}

TEST(GhostscriptDriver, CallsGhostscriptAsASeparateWord) {
  const std::string words = " -q -sDEVICE=ljet4%A%Z -sOutputFile=- -";
  for (const char* call : {"gs", "RES=%E; gs", "psresize -w1 %E | gs", "(gs",
                           "NOPDF=1 gs", "true && gs"}) {
    EXPECT_EQ(Verdict(Command(call + words)), "adopted") << call;
  }
  for (const char* call : {"gsx", "x-gs", "./gs.sh", "sh -c 'gs"}) {
    EXPECT_NE(Verdict(Command(call + words)).find("halftones itself"),
              std::string::npos)
        << call;
  }
  for (const char* call : {"/usr/bin/gs", "gs -sDEVICE=bbox - | /opt/gs"}) {
    EXPECT_NE(Verdict(Command(call + words)).find("by its path"),
              std::string::npos)
        << call;
  }
}

TEST(GhostscriptDriver, IsRefusedIfPdfIsPrintedInAnotherWay) {
  const std::string gs = "gs -sDEVICE=ljet4%A -";
  const std::string pdf = "*FoomaticRIPCommandLinePDF: \"";
  EXPECT_EQ(Verdict(Command(gs) + pdf + gs + "\"\n"), "adopted");
  EXPECT_NE(Verdict(Command(gs) + pdf + "cat%A%Z\"\n"), "adopted");
}

TEST(GhostscriptDriver, CanNameTheDeviceInAnOptionAndAcrossLines) {
  EXPECT_EQ(Verdict(Command("gs -q%A -sOutputFile=- -") +
                    "*FoomaticRIPOptionSetting Mode=Draft: \" -sDEVI&&\r\n"
                    "CE=lj5mono\"\n"),
            "adopted");
}

TEST(GhostscriptDriver, IsRefusedIfAnyChoiceNamesAnotherDevice) {
  EXPECT_NE(Verdict(Command("gs -sDEVICE=ljet4%A -") +
                    "*FoomaticRIPOptionSetting Mode=Best: \" -sDEVICE=ijs\"\n")
                .find("Ghostscript's device ijs"),
            std::string::npos);
}

TEST(GhostscriptDriver, CanTakeOneBitRaster) {
  const std::string labels = "gs -q -sDEVICE=cups %A | rastertoptch '%B'";
  const auto driver = GhostscriptDriverOf(Command(labels));
  ASSERT_TRUE(driver.ok());
  EXPECT_TRUE(driver->is_thermal);
  EXPECT_NE(Verdict(Command(labels) + "*FoomaticRIPOptionSetting Mode=Best: \" "
                                      "-dcupsBitsPerColor=8\"\n"),
            "adopted");
}

TEST(GhostscriptDriver, IsRefusedIfThePrinterHalftones) {
  EXPECT_NE(Verdict(Command("cat%A%Z")).find("halftones itself"),
            std::string::npos);
  EXPECT_NE(Verdict(Command("gsx -sDEVICE=ljet4")).find("halftones itself"),
            std::string::npos);
}

TEST(GhostscriptDriver, IsRefusedInColorOrWithoutACommand) {
  EXPECT_EQ(Verdict("*ColorDevice: True\n" + Command("foo2zjs-wrapper %A")),
            "its printer prints in color");
  EXPECT_EQ(Verdict("*ColorDevice: False\n"),
            "it has no FoomaticRIPCommandLine");
  EXPECT_EQ(Verdict(Command("gs -q -")),
            "it does not name Ghostscript's device");
}

}  // namespace
}  // namespace halftoned
