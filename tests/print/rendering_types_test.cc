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

TEST(Rendering, TakesTheTypeFromTheFirstSourceThatHasIt) {
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
  for (const char* fine : {"Stochastic", "true", "On", "yes"}) {
    EXPECT_EQ(type(ppd, {{"halftone-type", fine}}, config), Algorithm::kFine);
  }
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

// Expects that the job has this screen and no warnings.
void ExpectScreen(const Resolved& job, double lpi, double angle, double gamma) {
  ASSERT_TRUE(job.ok());
  EXPECT_TRUE(job.warnings.empty());
  EXPECT_EQ(job->look.algorithm, Algorithm::kScreen);
  EXPECT_EQ(job->look.screen_lpi, lpi);
  EXPECT_EQ(job->look.screen_angle, angle);
  EXPECT_EQ(job->look.gamma, gamma);
}

TEST(Rendering, ScreensOfLibcupsfiltersAreOurs) {
  const auto job = [](const char* type) {
    return Resolve(kSilent, {{"halftone-type", type}});
  };
  ExpectScreen(job("genordered"), 133, 45, 1);
  ExpectScreen(job("GenOrdered-85"), 85, 45, 1);
  ExpectScreen(job("spot-106-15"), 106, 75, 1);
  ExpectScreen(job("genordered-60-105-8"), 60, 15, 1);
  ExpectScreen(job("genordered-60-0-0-80"), 60, 0, 1.25);
  ExpectScreen(job("spot-60-45-10-1"), 60, 45, 10);
  ExpectScreen(job("spot-60-45-10-0"), 60, 45, 1);
  ExpectScreen(job("spot-60-45-2"), 120, 45, 1);
  ExpectScreen(job("spot-200-45-2"), 300, 45, 1);
  ExpectScreen(job("foo2zjs"), 150, 45, 1);
  ExpectScreen(Resolve(Ppd("cupsHalftoneType", "spot-85-30")), 85, 60, 1);
}

TEST(Rendering, ShapesOfLibcupsfiltersAreOurs) {
  const auto shape = [](const char* type, DotShape::Outline outline,
                        double angle) {
    const Resolved job = Resolve(kSilent, {{"halftone-type", type}});
    ExpectScreen(job, 60, angle, 1);
    EXPECT_EQ(job->look.screen_shape, outline) << type;
    EXPECT_EQ(job.notes.size(), 1u);
  };
  shape("genordered-60-30-3", DotShape::kDiamond, 120);
  shape("genordered-60-30-4", DotShape::kLine, 30);
  shape("genordered-60-120-4", DotShape::kLine, 30);
  shape("genordered-60-30-5", DotShape::kLine, 120);
  shape("genordered-60-30-7", DotShape::kDiamond, 30);
  shape("spot-60-30-7", DotShape::kLine, 150);
  shape("spot-60-120-7", DotShape::kLine, 60);
  shape("spot-60-30-8", DotShape::kLine, 60);
  shape("spot-60-0-11", DotShape::kEllipse, 0);
  shape("spot-60-360-14", DotShape::kEllipse, 90);
  shape("spot-60-0-20", DotShape::kDiamond, 0);
}

TEST(Rendering, WhatTypesOfLibcupsfiltersMeanIsNoted) {
  const auto note = [](const char* type) {
    return Resolve(kSilent, {{"halftone-type", type}}).notes;
  };
  EXPECT_EQ(note("dithering"),
            Texts{"halftone-type dithering of libcupsfilters means blue-noise; "
                  "that is the nearest"});
  EXPECT_EQ(note("spot-60-45-20-80"),
            Texts{"halftone-type spot of libcupsfilters means screen, "
                  "screen-lpi 60, screen-angle 135, screen-shape diamond, "
                  "gamma 1.25"});
  EXPECT_EQ(note("spot-60-45-17"),
            Texts{"halftone-type spot of libcupsfilters means screen, "
                  "screen-lpi 60, screen-angle 45, screen-shape round; "
                  "that is the nearest"});
  EXPECT_EQ(note("Stochastic"),
            Texts{"halftone-type stochastic of libcupsfilters means fine"});
  EXPECT_EQ(note("spot-106-45-5-13"),
            Texts{"halftone-type spot of libcupsfilters means screen, "
                  "screen-lpi 148.4, screen-angle 45, screen-shape round, "
                  "gamma 7.6923; that is the nearest"});
  for (const char* beyond : {"spot-200-45-2", "genordered-85-45-0-9"}) {
    EXPECT_TRUE(note(beyond)[0].ends_with("; that is the nearest")) << beyond;
  }
  EXPECT_TRUE(note("screen").empty());
  EXPECT_TRUE(note("bi-level").empty());
}

TEST(Rendering, SettingsOfTheJobWinOverThoseInItsType) {
  Config config;
  Say(config.look, "screen-lpi", "40");
  Say(config.look, "screen-angle", "10");
  const Values ppd = Ppd("halftonedScreenLpi", "50");
  const Values job = {{"halftone-type", "genordered-85-30"}};
  ExpectScreen(Resolve(ppd, job, config), 85, 30, 1);
  Values both = job;
  both["screen-lpi"] = "70";
  ExpectScreen(Resolve(ppd, both, config), 70, 30, 1);
  const Values of_ppd = Ppd("cupsHalftoneType", "genordered-85");
  ExpectScreen(Resolve(of_ppd, {}, config), 85, 45, 1);
}

TEST(Rendering, WrongParametersOfScreensAreWarnedOf) {
  const Values ppd = Ppd("cupsHalftoneType", "clustered");
  for (const char* type :
       {"genordered-", "genordered-0", "genordered-301", "genordered-x",
        "genordered-85-361", "genordered-85-45-9", "genordered-85-45-0.5",
        "genordered-85-45-0-100", "genordered-85-45-0-80-1", "genordered--85",
        "genordered-85x", "genordered-nan", "genordered-1e2-45"}) {
    const Resolved job = Resolve(ppd, {{"halftone-type", type}});
    EXPECT_EQ(job.warnings,
              Texts{"halftone-type is ignored: " + std::string(type) +
                    " is not genordered[-LPI[-ANGLE[-SHAPE[-GAMMA]]]], with "
                    "LPI in 1 … 300, ANGLE in 0 … 360, SHAPE in 0 … 8 and "
                    "GAMMA in 0 … 99"});
    EXPECT_EQ(job->parts.algorithm, Algorithm::kClustered) << type;
    EXPECT_TRUE(job.notes.empty());
  }
  EXPECT_EQ(Resolve(kSilent, {{"halftone-type", "spotted"}}).warnings.size(),
            1u);
  EXPECT_EQ(Resolve(kSilent, {{"halftone-type", "foo2zjs-150"}}).warnings,
            Texts{"halftone-type is ignored: foo2zjs-150 is not foo2zjs, which "
                  "has no parameters"});
  const Resolved of_ppd = Resolve(Ppd("cupsHalftoneType", "spot-0"));
  EXPECT_TRUE(of_ppd.ok());
  EXPECT_EQ(of_ppd.warnings.size(), 1u);
}

TEST(Rendering, TypesHaveNumbersOfTheirOwn) {
  const Recipe clustered = Resolve(kSilent, {{"halftone-type", "clustered"},
                                             {"halftone-cluster-size", "9"}})
                               .At(600);
  EXPECT_EQ(clustered.parameter(Recipe::kClusterSize), 9);
  EXPECT_EQ(Resolve(kSilent, {{"halftone-cluster-size", "3.5"}}).warnings,
            Texts{"halftone-cluster-size of the job is ignored: it is not a "
                  "whole number from 2 to 9"});
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

TEST(Rendering, RunsOfALeastLengthAreOfTypesThatHaveThem) {
  EXPECT_TRUE(Resolve(kSilent)->look.keeps_pure_pixels());
  for (const Values& job :
       {Values{{"halftone-min-run", "3"}},
        Values{{"min-run", "3"}, {"halftone-type", "jarvis"}}}) {
    const Resolved runs = Resolve(kSilent, job);
    EXPECT_TRUE(runs.warnings.empty());
    EXPECT_EQ(runs.At(1200).algorithm(), Algorithm::kJarvis);
    EXPECT_EQ(runs.At(1200).parameter(Recipe::kKept), 2);
    EXPECT_FALSE(runs.At(1200).is_pure());
    EXPECT_FALSE(runs->look.keeps_pure_pixels());
  }
  const Resolved fine =
      Resolve(kSilent, {{"min-run", "3"}, {"halftone-type", "fine"}});
  EXPECT_EQ(fine.At(600).algorithm(), Algorithm::kFine);
  EXPECT_TRUE(fine.At(600).is_pure());
  EXPECT_EQ(fine.warnings,
            Texts{"min-run is ignored: fine has no min-run; choose "
                  "halftone-type jarvis, stucki, burkes, sierra, atkinson or "
                  "false-floyd-steinberg"});
  const Resolved screen =
      Resolve(kSilent, {{"min-run", "3"}, {"halftone-type", "screen"}});
  EXPECT_EQ(screen.At(600).algorithm(), Algorithm::kScreen);
  ASSERT_EQ(screen.warnings.size(), 1u);
  EXPECT_TRUE(screen.warnings[0].starts_with(
      "min-run is ignored: screen has no min-run; choose halftone-type "));
  const Resolved levels =
      Resolve(Ppd("halftonedLevels", "4"), {{"min-run", "3"}});
  EXPECT_EQ(levels.At(600).algorithm(), Algorithm::kFine);
  EXPECT_EQ(levels.warnings,
            Texts{"min-run is ignored: min-run needs two levels, not 4"});
}

TEST(ToneProblems, AreSettingsThatDoNotGoTogether) {
  Config config;
  Say(config.look, "halftone-type", "fine", "h.conf, line 2");
  Say(config.look, "min-run", "3", "h.conf, line 3");
  Say(config.queues["q"], "halftone-type", "stucki", "h.conf, line 5");
  Say(config.queues["r"], "min-run", "1", "h.conf, line 7");
  Say(config.queues["s"], "halftone-type", "clustered", "h.conf, line 9");
  Say(config.queues["s"], "min-run", "1", "h.conf, line 10");
  Say(config.queues["s"], "levels", "4", "h.conf, line 11");
  const Texts problems = ToneProblems(config, ReadText());
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_TRUE(problems[0].starts_with(
      "h.conf, line 3: min-run is ignored: fine has no min-run"));
  EXPECT_EQ(problems[1],
            "h.conf, line 9: halftone-type clustered has only two levels, but "
            "levels is 4; pages are printed with fine");
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

TEST(Rendering, ADriverGetsTheRasterOfItsPpdFile) {
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
