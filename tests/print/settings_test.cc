// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "print/settings/job_settings.h"

namespace halftoned {
namespace {

Result<std::string> NoFile(const std::string& path) {
  return BadInput(path + ": no such file");
}

Result<Settings> ResolveBy(Queue::Values ppd, Queue::Values job = {},
                           const Config& config = {},
                           const ReadText& read_text = NoFile) {
  return ResolveSettings(
      Queue::FromValues(std::move(ppd), std::move(job), "q.ppd"), "q", config,
      read_text);
}

const Queue::Values kCupsRaster = {{"halftonedOutput", "cups-raster"}};

TEST(Settings, DefaultsWithoutPpdFileAndConfiguration) {
  const auto settings = ResolveBy({});
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->engine.value, "auto");
  EXPECT_EQ(settings->threads, 0);
  EXPECT_EQ(settings->format, RasterFormat::kCups);
  EXPECT_FALSE(settings->is_last);
  EXPECT_TRUE(settings->warnings.empty());
}

TEST(Settings, TheOutputIsNeverGuessed) {
  EXPECT_FALSE(ResolveBy(kCupsRaster)->is_last);
  EXPECT_TRUE(ResolveBy({{"halftonedOutput", "cups-raster last"}})->is_last);
  EXPECT_EQ(ResolveBy({{"halftonedOutput", "cups-raster-black"}})->format,
            RasterFormat::kCupsBlack);
  const auto pwg = ResolveBy({{"halftonedOutput", "pwg-raster last"}});
  EXPECT_EQ(pwg->format, RasterFormat::kPwg);
  EXPECT_TRUE(pwg->is_last);
  EXPECT_EQ(ResolveBy({{"halftonedOutput", "pwg-raster-gray last"}})->format,
            RasterFormat::kPwgGray);
  EXPECT_EQ(ResolveBy({{"halftonedOutput", "urf last"}})->format,
            RasterFormat::kUrf);
  for (const char* wrong : {"", "pwg", "pwg-raster  last", "last",
                            "cups-raster last last", "PWG-raster"}) {
    EXPECT_FALSE(ResolveBy({{"halftonedOutput", wrong}}).ok()) << wrong;
  }
  EXPECT_FALSE(ResolveBy({{"cupsBackSide", "Normal"}}).ok());
}

TEST(Settings, AJobMayTakeFewerThreadsThanAllowedNotMore) {
  Config config;
  const auto processors =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  EXPECT_EQ(ResolveBy({}, {{"halftone-threads", "256"}}, config)->threads,
            std::min(processors, 256));
  config.threads = 0;
  EXPECT_EQ(ResolveBy({}, {{"halftone-threads", "256"}}, config)->threads,
            std::min(processors, 256));
  config.threads = 4;
  EXPECT_EQ(ResolveBy({}, {{"halftone-threads", "9"}}, config)->threads, 4);
  EXPECT_EQ(ResolveBy({}, {{"halftone-threads", "2"}}, config)->threads, 2);
  EXPECT_EQ(ResolveBy({}, {}, config)->threads, 4);
}

TEST(Settings, ParallelPagesComeFromTheJobTheQueueOrTheConfiguration) {
  Config config;
  EXPECT_EQ(ResolveBy({}, {}, config)->parallel_pages, 0);
  config.parallel_pages = 3;
  EXPECT_EQ(ResolveBy({}, {}, config)->parallel_pages, 3);
  config.parallel_pages_of_queues["Q"] = 4;
  EXPECT_EQ(ResolveBy({}, {}, config)->parallel_pages, 4);
  Queue::Values ppd = kCupsRaster;
  ppd["halftonedParallelPages"] = "auto";
  EXPECT_EQ(ResolveBy(ppd, {}, config)->parallel_pages, 4);
  ppd["halftonedParallelPages"] = "5";
  EXPECT_EQ(ResolveBy(ppd, {}, config)->parallel_pages, 5);
  EXPECT_TRUE(ResolveBy(ppd, {}, config)->warnings.empty());
  EXPECT_EQ(ResolveBy(ppd, {{"parallel-pages", "6"}}, config)->parallel_pages,
            6);
  EXPECT_EQ(
      ResolveBy(ppd, {{"parallel-pages", "Auto"}}, config)->parallel_pages, 0);
  const auto wrong = ResolveBy(ppd, {{"parallel-pages", "0"}}, config);
  EXPECT_EQ(wrong->parallel_pages, 5);
  EXPECT_EQ(wrong->warnings.size(), 1U);
  ppd["halftonedParallelPages"] = "many";
  EXPECT_FALSE(ResolveBy(ppd, {}, config).ok());
}

TEST(Settings, ADuplexJobOfAPrinterThatWantsTurnedBacksMayTurnThem) {
  Queue::Values ppd = kCupsRaster;
  EXPECT_FALSE(ResolveBy(ppd)->may_turn_backs);
  ppd["cupsBackSide"] = "Rotated";
  EXPECT_TRUE(ResolveBy(ppd)->may_turn_backs);
  ppd["Duplex"] = "None";
  EXPECT_FALSE(ResolveBy(ppd)->may_turn_backs);
  ppd["Duplex"] = "DuplexTumble";
  EXPECT_TRUE(ResolveBy(ppd)->may_turn_backs);
  ppd["cupsBackSide"] = "Normal";
  EXPECT_FALSE(ResolveBy(ppd)->may_turn_backs);
}

TEST(Settings, UnknownKeywordsOfOursGiveAWarning) {
  Queue::Values ppd = kCupsRaster;
  ppd["halftonedGama"] = "2";
  ppd["halftonedgamma"] = "2";
  ppd["cupsOther"] = "3";
  EXPECT_EQ(
      ResolveBy(ppd)->warnings,
      std::vector<std::string>{"*halftonedGama in the PPD file is unknown"});
}

TEST(Settings, TheBackSideComesFromCups) {
  const auto side = [](const char* keyword, const char* value) {
    Queue::Values ppd = kCupsRaster;
    ppd[keyword] = value;
    const auto settings = ResolveBy(ppd);
    return settings.ok() ? std::optional(settings->back_side) : std::nullopt;
  };
  EXPECT_EQ(side("cupsBackSide", "ManualTumble"), BackSide::kManualTumble);
  EXPECT_EQ(side("cupsBackSide", "rotated"), BackSide::kRotated);
  EXPECT_EQ(side("cupsFlipDuplex", "True"), BackSide::kRotated);
  EXPECT_EQ(side("cupsFlipDuplex", "False"), BackSide::kNormal);
  EXPECT_EQ(side("cupsBackSide", "Sideways"), std::nullopt);
}

}  // namespace
}  // namespace halftoned
