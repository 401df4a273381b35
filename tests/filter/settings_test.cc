// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace halftoned {
namespace {

Result<std::string> NoFile(const std::string& path) {
  return BadInput(path + ": no such file");
}

Result<Settings> Resolve(Queue::Values ppd, Queue::Values job = {},
                         const Config& config = {},
                         const ReadText& read_text = NoFile) {
  return ResolveSettings(Queue::Of(std::move(ppd), std::move(job)), "q", config,
                         read_text);
}

const Queue::Values kCupsRaster = {{"halftonedOutput", "cups-raster"}};

TEST(Settings, DefaultsWithoutPpdFileAndConfiguration) {
  const auto settings = Resolve({});
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->recipe, Recipe::FloydSteinberg());
  EXPECT_EQ(settings->engine.value, "auto");
  EXPECT_EQ(settings->threads, 0);
  EXPECT_EQ(settings->format, RasterFormat::kCups);
  EXPECT_FALSE(settings->is_last);
  EXPECT_TRUE(settings->warnings.empty());
}

TEST(Settings, TheOutputIsSaidAndNeverGuessed) {
  EXPECT_FALSE(Resolve(kCupsRaster)->is_last);
  EXPECT_TRUE(Resolve({{"halftonedOutput", "cups-raster last"}})->is_last);
  const auto pwg = Resolve({{"halftonedOutput", "pwg-raster last"}});
  EXPECT_EQ(pwg->format, RasterFormat::kPwg);
  EXPECT_TRUE(pwg->is_last);
  for (const char* wrong : {"", "pwg", "pwg-raster  last", "last",
                            "cups-raster last last", "PWG-raster"}) {
    EXPECT_FALSE(Resolve({{"halftonedOutput", wrong}}).ok()) << wrong;
  }
  EXPECT_FALSE(Resolve({{"cupsBackSide", "Normal"}}).ok());
}

TEST(Settings, TheFirstThatSpeaksCounts) {
  Config config;
  config.tone.levels = 4;
  EXPECT_EQ(Resolve(kCupsRaster, {}, config)->recipe.levels().count, 4);
  config.queues["q"].levels = 8;
  EXPECT_EQ(Resolve(kCupsRaster, {}, config)->recipe.levels().count, 8);
  config.queues["other"].levels = 2;
  Queue::Values ppd = kCupsRaster;
  ppd["halftonedLevels"] = "16";
  EXPECT_EQ(Resolve(ppd, {}, config)->recipe.levels().count, 16);
  const auto job = Resolve(ppd, {{"halftone-levels", "2"}}, config);
  EXPECT_EQ(job->recipe.levels().count, 2);
}

TEST(Settings, NamesAreComparedAsCupsComparesThem) {
  Config config;
  config.queues["Q"].levels = 8;
  EXPECT_EQ(Resolve(kCupsRaster, {}, config)->recipe.levels().count, 8);
  const auto job = Resolve(kCupsRaster, {{"Halftone-Levels", "16"}}, config);
  EXPECT_EQ(job->recipe.levels().count, 16);
}

TEST(Settings, GammaComesBeforeTheCurveOfThePrinter) {
  Config config;
  config.tone.tone_curve.emplace("/the/curve");
  const ReadText read = [](const std::string& path) -> Result<std::string> {
    EXPECT_EQ(path, "/the/curve");
    return std::string("0 0\n128 64\n255 255\n");
  };
  const auto settings =
      Resolve(kCupsRaster, {{"halftone-gamma", "2"}}, config, read);
  ASSERT_TRUE(settings.ok());
  const ToneCurve gamma = *ToneCurve::FromGamma(2);
  const ToneCurve file = *ToneCurve::Parse("0 0\n128 64\n255 255\n");
  EXPECT_EQ(settings->recipe.curve(), gamma.Then(file));
  EXPECT_NE(settings->recipe.curve(), file.Then(gamma));
}

TEST(Settings, AGammaOf1IsExactlyTheIdentity) {
  EXPECT_TRUE(Resolve(kCupsRaster, {{"halftone-gamma", "1"}})
                  ->recipe.curve()
                  .is_identity());
}

TEST(Settings, AJobsMistakeIsWarnedOfAnAdministratorsEndsTheJob) {
  for (const char* wrong : {"", "x", "0", "99", "2x", "nan"}) {
    const auto job = Resolve(
        kCupsRaster, {{"halftone-gamma", wrong}, {"halftone-levels", wrong}});
    ASSERT_TRUE(job.ok()) << wrong;
    EXPECT_EQ(job->recipe, Recipe::FloydSteinberg());
    EXPECT_EQ(job->warnings,
              (std::vector<std::string>{
                  "halftone-levels of the job is ignored: it is not 2, 4, 8 or "
                  "16",
                  "halftone-gamma of the job is ignored: it is not a number in "
                  "0.1 … 10"}))
        << wrong;
    Queue::Values ppd = kCupsRaster;
    ppd["halftonedGamma"] = wrong;
    EXPECT_EQ(Resolve(ppd).error().message,
              "q.ppd: *halftonedGamma is not a number in 0.1 … 10");
  }
  Config config;
  config.tone.tone_curve.emplace("/missing", "h.conf, line 3");
  const auto missing = Resolve(kCupsRaster, {}, config);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message,
            "h.conf, line 3: tone curve /missing: no such file");
  Queue::Values ppd = kCupsRaster;
  ppd["halftonedToneCurve"] = "printer.curve";
  EXPECT_EQ(Resolve(ppd).error().message,
            "q.ppd: *halftonedToneCurve is not an absolute path");
  ppd["halftonedToneCurve"] = "/missing";
  EXPECT_EQ(Resolve(ppd).error().message,
            "*halftonedToneCurve in q.ppd: tone curve /missing: no such file");
}

TEST(Settings, AJobMayTakeFewerThreadsThanAllowedNotMore) {
  Config config;
  const auto processors =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  EXPECT_EQ(Resolve({}, {{"halftone-threads", "256"}}, config)->threads,
            std::min(processors, 256));
  config.threads = 0;
  EXPECT_EQ(Resolve({}, {{"halftone-threads", "256"}}, config)->threads,
            std::min(processors, 256));
  config.threads = 4;
  EXPECT_EQ(Resolve({}, {{"halftone-threads", "9"}}, config)->threads, 4);
  EXPECT_EQ(Resolve({}, {{"halftone-threads", "2"}}, config)->threads, 2);
  EXPECT_EQ(Resolve({}, {}, config)->threads, 4);
}

TEST(Settings, TypesOfOtherHalftonersAreWarnedOf) {
  EXPECT_TRUE(
      Resolve({}, {{"halftone-type", "Floyd-Steinberg"}})->warnings.empty());
  EXPECT_EQ(Resolve({}, {{"halftone-type", "stochastic"}})->warnings.size(),
            1u);
}

TEST(Settings, PwgRasterHasTwoLevels) {
  const Queue::Values pwg = {{"halftonedOutput", "pwg-raster"}};
  EXPECT_TRUE(Resolve(pwg).ok());
  const auto job = Resolve(pwg, {{"halftone-levels", "4"}});
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job->recipe.levels().count, 2);
  EXPECT_EQ(job->warnings.size(), 1u);
  Config config;
  config.tone.levels.emplace(4, "h.conf, line 2");
  EXPECT_EQ(Resolve(pwg, {}, config).error().message,
            "h.conf, line 2: PWG raster, which this queue writes, needs 2 "
            "levels");
}

TEST(Settings, TheBackSideIsCupsOwn) {
  const auto side = [](const char* keyword, const char* value) {
    Queue::Values ppd = kCupsRaster;
    ppd[keyword] = value;
    const auto settings = Resolve(ppd);
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
