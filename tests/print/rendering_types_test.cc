// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which halftone type a job prints with, and what drivers accept.

#include <gtest/gtest.h>

#include "halftone/look/settings.h"
#include "halftone/look/tones/tone.h"
#include "print/settings/rendering.h"
#include "tests/print/resolved.h"

namespace halftoned {
namespace {

TEST(Rendering, TakesTypesFromTheFirstThatSpeaksToo) {
  const auto type = [](Values ppd, Values job, const Config& config) {
    return Resolve(std::move(ppd), std::move(job), config)->parts.algorithm;
  };
  Config config;
  EXPECT_EQ(type(kSilent, {}, config), Algorithm::kFine);
  Say(config.look, "halftone-type", "fine");
  EXPECT_EQ(type(kSilent, {}, config), Algorithm::kFine);
  Say(config.queues["q"], "halftone-type", "bi-level");
  EXPECT_EQ(type(kSilent, {}, config), Algorithm::kBiLevel);
  const Values ppd = Ppd("cupsHalftoneType", "Clustered");
  EXPECT_EQ(type(ppd, {}, config), Algorithm::kClustered);
  EXPECT_EQ(type(ppd, {{"halftone-type", "Floyd-Steinberg"}}, config),
            Algorithm::kFloydSteinberg);
  EXPECT_EQ(type(ppd, {{"halftone-type", "auto"}}, config),
            Algorithm::kClustered);
  EXPECT_EQ(type(ppd, {{"halftone-type", "error-diffusion"}}, config),
            Algorithm::kFloydSteinberg);
  EXPECT_EQ(type(ppd, {{"halftone-type", "Stochastic"}}, config),
            Algorithm::kFine);
  EXPECT_EQ(type(Ppd("cupsHalftoneType", "stochastic"), {}, config),
            Algorithm::kFine);
}

TEST(Rendering, TypesOfOtherHalftonersAreWarnedOf) {
  EXPECT_EQ(Resolve(kSilent, {{"halftone-type", "threshold"}}).warnings,
            Texts{"halftone-type of the job is ignored: it is not " +
                  FindSetting("halftone-type")->Values()});
  EXPECT_EQ(Resolve(Ppd("cupsHalftoneType", "threshold")).warnings,
            Texts{"cupsHalftoneType in the PPD file is unknown"});
}

TEST(Rendering, TypesHaveNumbersOfTheirOwn) {
  const Recipe clustered = Resolve(kSilent, {{"halftone-type", "clustered"},
                                             {"halftone-cluster-size", "9"}})
                               .At(600);
  EXPECT_EQ(clustered.parameter(Recipe::kClusterSize), 9);
  EXPECT_EQ(Resolve(kSilent, {{"halftone-cluster-size", "3.5"}}).warnings,
            Texts{"halftone-cluster-size of the job is ignored: it is not a "
                  "whole number in 2 … 9"});
}

TEST(Rendering, MoreLevelsReplaceATypeOfTwo) {
  Config config;
  Say(config.look, "levels", "4");
  EXPECT_EQ(Resolve(kSilent, {}, config)->parts.levels, 4);
  EXPECT_EQ(Resolve(kSilent, {}, config)->parts.algorithm, Algorithm::kFine);
  Say(config.queues["q"], "levels", "8");
  EXPECT_EQ(Resolve(kSilent, {}, config)->parts.levels, 8);
  const Values ppd = Ppd("halftonedLevels", "16");
  EXPECT_EQ(Resolve(ppd, {}, config)->parts.levels, 16);
  EXPECT_EQ(Resolve(ppd, {{"Halftone-Levels", "2"}}, config)->parts.levels, 2);
  const Resolved fine = Resolve(ppd, {{"halftone-type", "fine"}});
  EXPECT_EQ(fine.At(600).levels().count, 16);
  EXPECT_EQ(fine.At(600).algorithm(), Algorithm::kFine);
  EXPECT_TRUE(fine.warnings.empty());
  const Resolved clusters = Resolve(ppd, {{"halftone-type", "clustered"}});
  EXPECT_EQ(clusters.At(600).levels().count, 16);
  EXPECT_EQ(clusters.At(600).algorithm(), Algorithm::kFine);
  ASSERT_EQ(clusters.warnings.size(), 1u);
  EXPECT_EQ(clusters.warnings[0],
            "halftone-type clustered has only two levels, but levels is 16; "
            "pages are printed with fine");
}

TEST(Rendering, PwgRasterHasTwoLevels) {
  const Resolved job = Resolve(kSilent, {{"halftone-levels", "4"}}, {}, true);
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job->parts.levels, 2);
  EXPECT_EQ(job.warnings.size(), 1u);
  Config config;
  Say(config.look, "levels", "4", "h.conf, line 2");
  const Resolved configured = Resolve(kSilent, {}, config, true);
  ASSERT_TRUE(configured.ok());
  EXPECT_EQ(configured->parts.levels, 2);
  EXPECT_EQ(configured.problems,
            Texts{"h.conf, line 2: this queue prints 2 levels"});
}

TEST(Rendering, ADriverTakesWhatItsPpdFileSays) {
  Config config;
  Say(config.look, "levels", "4");
  Say(config.queues["q"], "levels", "8");
  Values ppd = {{"halftonedOutput", "cups-raster"}};
  const Values job = {{"halftone-levels", "16"}};
  const Resolved two = Resolve(ppd, job, config);
  EXPECT_EQ(two->parts.levels, 2);
  EXPECT_EQ(two.warnings,
            std::vector<std::string>{
                "halftone-levels of the job is ignored: the driver accepts 2"});
  ppd["halftonedLevels"] = "4";
  EXPECT_EQ(Resolve(ppd, job, config)->parts.levels, 4);
  EXPECT_EQ(Resolve(ppd, {}, {})->parts.levels, 4);
}

TEST(Rendering, ADriverThatGetsPixelsOfBlackHasTwoLevels) {
  Values ppd = {{"halftonedOutput", "cups-raster-black"}};
  EXPECT_EQ(Resolve(ppd, {{"halftone-levels", "16"}}, {}, true)->parts.levels,
            2);
  ppd["halftonedLevels"] = "4";
  EXPECT_FALSE(Resolve(ppd, {}, {}, true).ok());
}

}  // namespace
}  // namespace halftoned
