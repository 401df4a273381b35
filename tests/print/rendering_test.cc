// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/settings/rendering.h"

#include <gtest/gtest.h>

#include "halftone/look/halftone_type.h"
#include "halftone/look/settings.h"
#include "halftone/look/tones/tone.h"
#include "tests/print/resolved.h"

namespace halftoned {
namespace {

// The names of a setting, two values of it, and the result.
struct SettingCase {
  const char* job;
  const char* ppd;
  const char* conf;
  double Tone::*member;
};

constexpr SettingCase kNumbers[] = {
    {"halftone-black-point", "halftonedBlackPoint", "black-point",
     &Tone::black_point},
    {"black-point", "halftonedBlackPoint", "black-point", &Tone::black_point},
    {"halftone-contrast", "halftonedContrast", "contrast", &Tone::contrast},
    {"halftone-brightness", "halftonedBrightness", "brightness",
     &Tone::brightness},
    {"halftone-gamma", "halftonedGamma", "gamma", &Tone::gamma},
    {"halftone-toner-save", "halftonedTonerSave", "toner-save",
     &Tone::toner_save},
    {"toner-save", "halftonedTonerSave", "toner-save", &Tone::toner_save},
    {"halftone-dot-gain", "halftonedDotGain", "dot-gain", &Tone::dot_gain},
    {"dot-gain", "halftonedDotGain", "dot-gain", &Tone::dot_gain},
};

TEST(Rendering, TakesEachNumberFromTheFirstSourceThatHasIt) {
  for (const SettingCase& number : kNumbers) {
    Config config;
    const auto value = [&](const Resolved& resolved) {
      EXPECT_TRUE(resolved.ok()) << number.job << resolved.error();
      EXPECT_TRUE(resolved.warnings.empty()) << number.job;
      return (*resolved.rendering).look.*number.member;
    };
    Say(config.look, number.conf, "1.5");
    EXPECT_EQ(value(Resolve(kSilent, {}, config)), 1.5) << number.job;
    Say(config.queues["other"], number.conf, "9");
    Say(config.queues["Q"], number.conf, "2.5");
    EXPECT_EQ(value(Resolve(kSilent, {}, config)), 2.5) << number.job;
    EXPECT_EQ(value(Resolve(Ppd(number.ppd, "3.5"), {}, config)), 3.5);
    EXPECT_EQ(
        value(Resolve(Ppd(number.ppd, "3.5"), {{number.job, "4.5"}}, config)),
        4.5)
        << number.job;
    // "auto" leaves it to the next source.
    EXPECT_EQ(
        value(Resolve(Ppd(number.ppd, "Auto"), {{number.job, "auto"}}, config)),
        2.5)
        << number.job;
  }
}

TEST(Rendering, AJobsMistakeIsWarnedOfAnAdministratorsEndsTheJob) {
  for (const SettingCase& number : kNumbers) {
    for (const char* wrong : {"", "x", "999", "2x", "nan", "1,5"}) {
      const Resolved job = Resolve(kSilent, {{number.job, wrong}});
      ASSERT_TRUE(job.ok()) << number.job;
      EXPECT_EQ(job->look.*number.member, Rendering().look.*number.member);
      ASSERT_EQ(job.warnings.size(), 1u) << number.job;
      EXPECT_EQ(job.warnings[0].find(std::string(number.job) +
                                     " of the job is ignored: it is not a "
                                     "number from "),
                0u)
          << job.warnings[0];
      EXPECT_EQ(Resolve(Ppd(number.ppd, wrong))
                    .error()
                    .find(std::string("q.ppd: *") + number.ppd +
                          " is not a number from "),
                0u);
    }
  }
  EXPECT_EQ(Resolve(Ppd("halftonedGamma", "99")).error(),
            "q.ppd: *halftonedGamma is not a number from 0.1 to 10");
  EXPECT_EQ(Resolve(Ppd("halftonedTextEdges", "sharp")).error(),
            "q.ppd: *halftonedTextEdges is not off, crisp, soft or "
            "barcode");
  EXPECT_EQ(Resolve(Ppd("halftonedTechnology", "led")).error(),
            "q.ppd: *halftonedTechnology is not laser, inkjet or thermal");
}

// The default curve of a type.
ToneCurve DefaultCurve(const Recipe::Parts& parts, const Tone& tone,
                       Technology technology, double dpi) {
  return *CurveFor(parts, tone, *TypicalCurveFor(parts, technology, dpi));
}

TEST(Rendering, AnUnmeasuredPrinterGainsByItsTechnologyAndResolution) {
  const Resolved laser = Resolve(kSilent);
  const Tone tone{.black_point = kRenderersBlackPoint,
                  .aim = ToneAim::kDisplay};
  const auto curve = [&](Technology technology, double dpi) {
    const Recipe::Parts parts = *PartsOf(
        {.print_feedback = 100, .technology = technology}, 2, true, {dpi, dpi});
    return DefaultCurve(parts, tone, technology, dpi);
  };
  for (const double dpi : {203.0, 300.0, 600.0, 1200.0}) {
    EXPECT_NE(laser.At(dpi).curve(), *CurveOf(tone));
    EXPECT_EQ(laser.At(dpi).curve(), curve(Technology::kLaser, dpi));
  }
  EXPECT_NE(laser.At(300), laser.At(600));
  Config config;
  Say(config.look, "technology", "inkjet");
  EXPECT_EQ(Resolve(kSilent, {}, config).At(600).curve(),
            curve(Technology::kInkjet, 600));
  Say(config.queues["q"], "technology", "laser");
  EXPECT_EQ(Resolve(kSilent, {}, config).At(600), laser.At(600));
  EXPECT_EQ(Resolve(Ppd("halftonedTechnology", "Thermal"), {}, config)
                .At(300)
                .curve(),
            curve(Technology::kThermal, 300));
}

TEST(Rendering, AScreenAndTheAutomaticTypeAreOfThePagesResolution) {
  const Resolved automatic = Resolve(kSilent);
  EXPECT_EQ(automatic.At(600).algorithm(), Algorithm::kFine);
  EXPECT_EQ(automatic.At(1200).algorithm(), Algorithm::kScreen);
  EXPECT_EQ(Resolve(kSilent, {{"halftone-type", "fine"}}).At(1200).algorithm(),
            Algorithm::kFine);
  EXPECT_EQ(Resolve(Ppd("halftonedTechnology", "Inkjet")).At(1200).algorithm(),
            Algorithm::kFine);
  const Resolved screen =
      Resolve(Ppd("halftonedScreenAngle", "15"),
              {{"halftone-type", "screen"}, {"screen-lpi", "85"}});
  for (const double dpi : {300.0, 600.0, 1200.0}) {
    const ScreenRuling ruling =
        RulingOf(SupercellOf(screen.At(dpi).parts()), {dpi, dpi});
    EXPECT_NEAR(ruling.lines_per_inch, 85, 0.5);
    EXPECT_NEAR(ruling.degrees, 15, 0.25);
  }
}

TEST(Rendering, PrintsAimAtADisplayByDefault) {
  EXPECT_EQ(Resolve(kSilent)->look.aim, ToneAim::kDisplay);
  Config config;
  Say(config.look, "tone-aim", "linear");
  EXPECT_EQ(Resolve(kSilent, {}, config)->look.aim, ToneAim::kLinear);
  EXPECT_EQ(Resolve(Ppd("halftonedToneAim", "Display"), {}, config)->look.aim,
            ToneAim::kDisplay);
  const Resolved linear = Resolve(kSilent, {{"halftone-tone-aim", "linear"},
                                            {"black-point", "0"},
                                            {"dot-gain", "0"}});
  EXPECT_TRUE(linear.At(600).curve().is_identity());
  EXPECT_EQ(Resolve(kSilent, {{"halftone-tone-aim", "paper"}}).warnings,
            Texts{"halftone-tone-aim of the job is ignored: it is not display "
                  "or linear"});
}

TEST(Rendering, ShadowsStayWhereTheBlackOfCmykIsSolidAlready) {
  const auto curve = [](const Values& job, bool is_black_solid) {
    return Resolve(kSilent, job).At(600, is_black_solid).curve();
  };
  EXPECT_EQ(curve({}, true), curve({{"black-point", "0"}}, false));
  for (int light = 1; light <= 48; ++light) {
    EXPECT_GT(curve({}, true).At8(light), curve({}, true).At8(light - 1));
  }
  EXPECT_EQ(curve({{"black-point", "40"}}, true),
            curve({{"black-point", "40"}}, false));
}

TEST(Rendering, BlackOfCmykIsSolidByDefault) {
  const ToneCurve curve = Resolve(kSilent).At(600).curve();
  EXPECT_EQ(curve.At8(32), 0);
  EXPECT_GT(curve.At8(33), 0);
  EXPECT_EQ(curve.At8(255), kWhite);
}

TEST(Rendering, AMeasuredCurveTakesThePlaceOfDotGainAndComesLast) {
  Config config;
  Say(config.look, "tone-curve", "/the/curve");
  const ToneCurve measured = *ToneCurve::Parse(kCurveText);
  const Tone wished{.gamma = 2, .aim = ToneAim::kDisplay};
  const Resolved gamma =
      Resolve(kSilent, {{"halftone-gamma", "2"}, {"black-point", "0"}}, config);
  EXPECT_EQ(gamma.At(600).curve(), CurveOf(wished)->Then(measured));
  EXPECT_NE(gamma.At(600).curve(), measured.Then(*CurveOf(wished)));
  EXPECT_EQ(gamma.At(600).curve(), gamma.At(300).curve());
  const Resolved gain = Resolve(Ppd("halftonedToneCurve", "/the/curve"),
                                {{"dot-gain", "40"},
                                 {"halftone-tone-aim", "linear"},
                                 {"black-point", "0"}});
  EXPECT_EQ(gain.At(600).curve(), measured);
  EXPECT_EQ(gain.warnings, Texts{"dot-gain of the job is ignored: the printer "
                                 "has a measured curve"});
}

TEST(Rendering, EveryTypeCorrectsItsShareOfThePrintersGain) {
  Config config;
  Say(config.look, "dot-gain", "30");
  Config curved;
  Say(curved.look, "tone-curve", "/the/curve");
  const auto curve = [](Values job, const Config& what) {
    job.emplace("black-point", "0");
    job.emplace("halftone-tone-aim", "linear");
    return Resolve(kSilent, std::move(job), what).At(600).curve();
  };
  const ToneCurve measured = *ToneCurve::Parse(kCurveText);
  struct Case {
    const char* type;
    const char* size;
    double share;
  };
  for (const auto& [type, size, share] :
       {Case{"fine", "4", 1}, Case{"floyd-steinberg", "4", 1},
        Case{"clustered", "2", 0.75}, Case{"clustered", "4", 0.5},
        Case{"clustered", "9", 1 / 3.0}, Case{"bi-level", "4", 0}}) {
    const Values job = {{"halftone-type", type},
                        {"halftone-cluster-size", size}};
    EXPECT_EQ(curve(job, {}),
              share > 0
                  ? *TypicalCurve(Technology::kLaser, 600 * share,
                                  type != std::string_view("floyd-steinberg"))
                  : ToneCurve())
        << type;
    EXPECT_EQ(curve(job, config), *CurveOf({.dot_gain = 30 * share})) << type;
    Values stated = job;
    stated.emplace("dot-gain", "40");
    EXPECT_EQ(curve(stated, config), *CurveOf({.dot_gain = 40 * share}));
    EXPECT_EQ(curve(job, curved), share > 0 ? measured : ToneCurve()) << type;
  }
  EXPECT_EQ(
      curve({{"halftone-type", "bi-level"}, {"halftone-gamma", "2"}}, curved),
      *ToneCurve::FromGamma(2));
}

TEST(Rendering, AConfiguredCurveThatCannotBeReadIsLeftOut) {
  Config config;
  Say(config.look, "tone-curve", "/missing", "h.conf, line 3");
  const Resolved without = Resolve(kSilent, {}, config);
  ASSERT_TRUE(without.ok());
  EXPECT_EQ(without.At(600).curve(), Resolve(kSilent).At(600).curve());
  EXPECT_EQ(without.problems,
            Texts{"h.conf, line 3: tone curve /missing: no such file"});
}

TEST(Rendering, ACurveOfThePpdFileThatCannotBeReadEndsTheJob) {
  EXPECT_EQ(Resolve(Ppd("halftonedToneCurve", "printer.curve")).error(),
            "q.ppd: *halftonedToneCurve is not an absolute path");
  EXPECT_EQ(Resolve(Ppd("halftonedToneCurve", "/missing")).error(),
            "*halftonedToneCurve in q.ppd: tone curve /missing: no such file");
  EXPECT_EQ(Resolve(Ppd("halftonedToneCurve", "/dim")).error(),
            "*halftonedToneCurve in q.ppd: tone curve /dim, line 2: the last "
            "pair must be 255 255, so that paper stays white");
}

TEST(Rendering, IsTheIdentityWithoutSettingsAndGain) {
  EXPECT_TRUE(Resolve(kSilent, {{"dot-gain", "0"},
                                {"halftone-tone-aim", "linear"},
                                {"black-point", "0"},
                                {"halftone-gamma", "1"}})
                  .At(600)
                  .curve()
                  .is_identity());
}

TEST(Rendering, EdgesOfTextAreSoftByDefault) {
  const auto edges = [](const Resolved& resolved) {
    return resolved->look.text_edges;
  };
  EXPECT_EQ(edges(Resolve(kSilent)), TextEdges::kSoft);
  Config config;
  Say(config.look, "text-edges", "off");
  EXPECT_EQ(edges(Resolve(kSilent, {}, config)), TextEdges::kOff);
  Say(config.queues["q"], "text-edges", "crisp");
  EXPECT_EQ(edges(Resolve(kSilent, {}, config)), TextEdges::kCrisp);
  EXPECT_EQ(edges(Resolve(Ppd("halftonedTextEdges", "Off"), {}, config)),
            TextEdges::kOff);
  EXPECT_EQ(edges(Resolve(Ppd("halftonedTextEdges", "off"),
                          {{"text-edges", "barcode"}})),
            TextEdges::kBarcode);
  EXPECT_EQ(edges(Resolve(kSilent, {{"halftone-text-edges", "off"}})),
            TextEdges::kOff);
  EXPECT_EQ(Resolve(kSilent, {{"text-edges", "on"}}).warnings,
            Texts{"text-edges of the job is ignored: it is not off, crisp, "
                  "soft or barcode"});
}

TEST(Rendering, BesideCrispEdgesPurePixelsStandAlone) {
  for (const Method& method : Methods()) {
    const std::string type(method.name);
    EXPECT_TRUE(Resolve(kSilent, {{"halftone-type", type}}).At(600).is_pure());
    EXPECT_FALSE(
        Resolve(kSilent, {{"halftone-type", type}, {"text-edges", "off"}})
            .At(600)
            .is_pure());
  }
}

}  // namespace
}  // namespace halftoned
