// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/queue/data_advice.h"

#include <gtest/gtest.h>

#include "adopt/change/adoption.h"
#include "tests/tools/adopt/sample_ppd.h"

namespace halftoned {
namespace {

constexpr char kToSendLess[] =
    ": to send less, type: sudo halftone set laser halftone-type=screen "
    "screen-lpi=150 screen-angle=0";
constexpr char kFiveTimes[] = "photographs become up to 5 times as much data";

// An adopted file of a driver that compresses.
std::string Compressing(const std::string& lines = "") {
  const std::string ppd =
      Replaced(SamplePpd(), "33 rastertoacme", "33 rastertobrlaser");
  return Adopt(
             Replaced(ppd, "*OpenUI *PageSize/", lines + "*OpenUI *PageSize/"))
      .value();
}

// With the choices of 2, 4 and 8 MB, and one of them.
std::string WithMemory(const std::string& chosen) {
  return Compressing(
      "*OpenUI *InstalledMemory/Memory: PickOne\n"
      "*DefaultInstalledMemory: " +
      chosen +
      "\n"
      "*InstalledMemory 2Meg/2 MB: \"\"\n"
      "*InstalledMemory 512KB/512 kB: \"\"\n"
      "*InstalledMemory 4MB/4 MB: \"\"\n"
      "*InstalledMemory 8Meg/8 MB: \"\"\n"
      "*InstalledMemory None/Standard: \"\"\n"
      "*InstalledMemory 2/Two: \"\"\n"
      "*CloseUI: *InstalledMemory\n");
}

std::string Advice(const std::string& ppd, const std::string& uri,
                   const std::map<std::string, std::string>& options = {},
                   const Config& config = {}) {
  return DataAdvice("laser", uri, ppd, options, config);
}

TEST(DataAdvice, NamesTheTypeForSlowPorts) {
  for (const auto& [uri, port] :
       {std::pair("serial:/dev/ttyS0?baud=115200", "serial"),
        std::pair("parallel:/dev/lp0", "parallel"),
        std::pair("bluetooth://00112233445566", "bluetooth"),
        std::pair("SERIAL:/dev/ttyS0", "serial")}) {
    EXPECT_EQ(Advice(Compressing(), uri), std::string(kFiveTimes) +
                                              ", and its " + port +
                                              " port is slow" + kToSendLess);
  }
}

TEST(DataAdvice, LeavesTheRulingToTheTypeAtOtherResolutions) {
  EXPECT_TRUE(
      Advice(Compressing(), "serial:/dev/ttyS0", {{"Resolution", "300dpi"}})
          .ends_with("set laser halftone-type=screen"));
}

TEST(DataAdvice, DoesNotGuessTheSpeedOfOtherPorts) {
  for (const char* uri :
       {"usb://Brother/HL-2030", "socket://192.0.2.7", "ipp://laser.local",
        "lpd://192.0.2.7/queue", "file:/dev/null", "serialport://x", ""}) {
    EXPECT_EQ(Advice(Compressing(), uri),
              std::string(kFiveTimes) +
                  ": if the printer runs out of memory, print them with -o "
                  "halftone-type=screen")
        << uri;
  }
}

TEST(DataAdvice, NamesTheTypeForAPageThatDoesNotFit) {
  for (const auto& [choice, words] :
       {std::pair("2Meg", "2 MB"), std::pair("4MB", "4 MB"),
        std::pair("512KB", "512 kB")}) {
    EXPECT_EQ(Advice(WithMemory(choice), "usb://Acme/Laser"),
              std::string(kFiveTimes) + ", and the printer has " + words +
                  " of memory, as its PPD file says" + kToSendLess);
  }
  for (const char* unknown : {"8Meg", "None", "2"}) {
    EXPECT_EQ(Advice(WithMemory(unknown), "usb://Acme/Laser"),
              Advice(Compressing(), "usb://Acme/Laser"))
        << unknown;
  }
}

TEST(DataAdvice, ComparesTheMemoryWithThePageOfTheQueue) {
  const std::string enough = Advice(Compressing(), "usb://Acme/Laser");
  EXPECT_NE(Advice(WithMemory("2Meg"), "usb:"), enough);
  // A page at 300 dpi has a quarter of the dots.
  EXPECT_EQ(Advice(WithMemory("2Meg"), "usb:", {{"Resolution", "300dpi"}}),
            enough);
  // The owner has said what is installed.
  EXPECT_EQ(Advice(WithMemory("2Meg"), "usb:", {{"InstalledMemory", "8Meg"}}),
            enough);
  EXPECT_NE(Advice(WithMemory("8Meg"), "usb:", {{"InstalledMemory", "2Meg"}}),
            enough);
}

TEST(DataAdvice, IsEmptyIfTheTypeIsChosen) {
  const std::string uri = "serial:/dev/ttyS0";
  const std::string unasked = Advice(Compressing(), "usb:");
  EXPECT_EQ(Advice(Compressing(), uri, {{"halftone-type", "screen"}}), unasked);
  EXPECT_EQ(Advice(Replaced(Compressing(), "*DefaultcupsHalftoneType: auto",
                            "*DefaultcupsHalftoneType: screen"),
                   uri),
            unasked);
  EXPECT_NE(Advice(Compressing(), uri, {{"halftone-type", "best"}}), unasked);
}

TEST(DataAdvice, AdvisesReleaseIfScreensDoNotHelp) {
  const std::string ppd = "*cupsFilter: x\n*% gs -sDEVICE=pxlmono\n";
  EXPECT_EQ(Advice(ppd, "usb:"),
            "pages with text and gray become up to 18 times as much data: if "
            "the printer runs out of memory, release the queue");
}

TEST(DataAdvice, IsEmptyForUnmeasuredDrivers) {
  const std::string ppd = Adopt(SamplePpd()).value();
  EXPECT_EQ(Advice(ppd, "serial:/dev/ttyS0"), "");
  EXPECT_EQ(Advice("", "serial:/dev/ttyS0"), "");
  EXPECT_EQ(Advice("not a PPD file", "parallel:/dev/lp0"), "");
}

TEST(DataAdvice, QuotesNamesForAShell) {
  EXPECT_EQ(ShellWord("laser-2_b%20"), "laser-2_b%20");
  EXPECT_EQ(ShellWord("usb://A?serial=1&x"), "'usb://A?serial=1&x'");
}

}  // namespace
}  // namespace halftoned
