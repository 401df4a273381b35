// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PPD files made of what a printer says, whatever it says.

#include "adopt/ppd/made_ppd.h"

#include <gtest/gtest.h>

#include "adopt/ppd/ppd_file.h"

namespace halftoned {
namespace {

PrinterFacts Laser() {
  PrinterFacts facts;
  facts.make_and_model = "Acme Laser 5";
  facts.formats = {"image/pwg-raster", "image/urf"};
  facts.raster_types = {"black_1", "sgray_8"};
  facts.resolutions = {{300, 300}, {600, 600}, {1200, 600}};
  facts.resolution = DotsFacts{600, 600};
  facts.papers = {{21000, 29700, 423, 423, 423, 423},
                  {14800, 21000, 500, 500, 500, 500}};
  facts.sides = {"one-sided", "two-sided-long-edge"};
  facts.sources = {"auto", "tray-1"};
  return facts;
}

// The file, which CUPS must understand and which must ask for gray.
std::string PpdOf(const PrinterFacts& facts) {
  const auto made = MakePpd(facts);
  if (!made.ok()) {
    ADD_FAILURE() << made.error().message;
    return "";
  }
  auto file = PpdFile::Parse(*made);
  EXPECT_TRUE(file.ok() && file->CheckAsksFor(kGrayBytes).ok());
  return *made;
}

std::string Why(const PrinterFacts& facts) {
  const auto made = MakePpd(facts);
  return made.ok() ? "" : made.error().message;
}

TEST(MadePpd, DescribesThePrinter) {
  const std::string ppd = PpdOf(Laser());
  for (const char* line :
       {"\n*DefaultResolution: 600dpi\n", "\n*Resolution 1200x600dpi/",
        "\n*PageSize A5/A5: \"<</PageSize[419.5276 595.2756]",
        "\n*Duplex DuplexNoTumble/", "\n*InputSlot Tray1/Tray 1: "}) {
    EXPECT_NE(ppd.find(line), ppd.npos) << line;
  }
  for (const char* line : {"DuplexTumble", "*MediaType", "VariablePaperSize"}) {
    EXPECT_EQ(ppd.find(line), ppd.npos) << line;
  }
}

TEST(MadePpd, StatesTheOrientationOfBacks) {
  for (const auto& [says, side] :
       {std::pair("normal", "Normal"), std::pair("flipped", "Flipped"),
        std::pair("rotated", "Rotated"),
        std::pair("manual-tumble", "ManualTumble"), std::pair("", "Normal")}) {
    PrinterFacts facts = Laser();
    facts.sheet_back = says;
    EXPECT_NE(PpdOf(facts).find("*cupsBackSide: \"" + std::string(side)),
              std::string::npos);
  }
}

TEST(MadePpd, RejectsTextThatWouldStartALine) {
  PrinterFacts facts = Laser();
  facts.make_and_model = "Acme\"\n*cupsFilter2: \"x x 0 evil\"\n(\xff<";
  facts.sources = {"auto", "tray-1", "tray-99", "x\n*y: \"z\"", "Tray-2", ""};
  facts.types = {"stationery", "-", "a)>>setpagedevice", std::string(500, 'a')};
  facts.type = "\"";
  facts.sheet_back = "\"\n*x: \"";
  const std::string ppd = PpdOf(facts);
  for (const char* text :
       {"\n*cupsFilter2: \"x", "tray-99", "*y:", "*x:", "MediaType"}) {
    EXPECT_EQ(ppd.find(text), ppd.npos) << text;
  }
}

TEST(MadePpd, OmitsImpossiblePapers) {
  PrinterFacts facts = Laser();
  facts.papers.insert(facts.papers.begin(),
                      {{0, 0, 0, 0, 0, 0},
                       {-1, 5, 0, 0, 0, 0},
                       {35, 29700, 0, 0, 0, 0},
                       {21000, 29700, 20000, 0, 20000, 0},
                       {2000000000, 2000000000, 0, 0, 0, 0},
                       {21000, 29700, 0, 0, 0, 0}});
  const std::string ppd = PpdOf(facts);
  EXPECT_NE(ppd.find("*ImageableArea A4/A4: \"11.9906 "), ppd.npos);
  facts.papers.resize(5);
  EXPECT_EQ(
      Why(facts),
      "the printer reports no paper size; create its queue with lpadmin -m");
  facts = Laser();
  facts.resolutions = {{0, 0}, {-600, 600}, {1000000, 1000000}};
  EXPECT_EQ(
      Why(facts),
      "the printer reports no resolution; create its queue with lpadmin -m");
}

TEST(MadePpd, HasStaplesAndPunchesThatCupsKnows) {
  EXPECT_EQ(PpdOf(Laser()).find("*cupsIPPFinishings"), std::string::npos);
  PrinterFacts facts = Laser();
  facts.finishings = {-1, 0, 3, 4, 28, 74, 1'000'000};
  const std::string ppd = PpdOf(facts);
  for (const char* line :
       {"\n*DefaultStapleLocation: None\n", "\n*StapleLocation Staple/Staple: ",
        "\n*cupsIPPFinishings 28/staple-dual-left: \"*StapleLocation "
        "StapleDualLeft\"\n",
        "\n*PunchMedia PunchDualLeft/Punch dual left: \"\"\n"}) {
    EXPECT_NE(ppd.find(line), ppd.npos) << line;
  }
  for (const char* line : {"FoldType", "Finishings 3", "1000000"}) {
    EXPECT_EQ(ppd.find(line), ppd.npos) << line;
  }
}

TEST(MadePpd, SendsGrayIfThePrinterTakesNoBits) {
  PrinterFacts facts = Laser();
  facts.raster_types = {"sgray_8"};
  EXPECT_NE(PpdOf(facts).find("*halftonedOutput: \"pwg-raster-gray last\""),
            std::string::npos);
  facts.raster_types = {};
  facts.urf = {"W8", "RS400-99999999999-x-", "DM2"};
  const std::string ppd = PpdOf(facts);
  for (const char* line :
       {"*halftonedOutput: \"urf last\"", "*DefaultResolution: 400dpi",
        "*cupsBackSide: \"Flipped\""}) {
    EXPECT_NE(ppd.find(line), ppd.npos) << line;
  }
}

TEST(MadePpd, RefusesPrintersThatTakeNeither) {
  PrinterFacts facts = Laser();
  facts.raster_types = {"srgb_8"};
  EXPECT_NE(Why(facts).find("black_1"), std::string::npos);
  facts.formats = {"image/urf", "application/vnd.hp-pcl"};
  EXPECT_NE(Why(facts).find("--language pcl5e"), std::string::npos);
  facts.formats = {"image/urf"};
  EXPECT_NE(Why(facts).find("lpadmin -m everywhere"), std::string::npos);
}

}  // namespace
}  // namespace halftoned
