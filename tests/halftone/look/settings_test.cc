// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/settings.h"

#include <gtest/gtest.h>

#include <set>

#include "halftone/page/method.h"

namespace halftoned {
namespace {

const PrintSetting& The(std::string_view name) { return *FindSetting(name); }

TEST(PrintSettings, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names, keywords, options;
  for (const PrintSetting& setting : kPrintSettings) {
    EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
    EXPECT_TRUE(keywords.insert(setting.keyword).second) << setting.name;
    EXPECT_EQ(setting.job_option.empty(), !setting.MayBeSetBy(kJobOption));
    for (const auto option : {setting.job_option, setting.short_job_option}) {
      if (!option.empty()) {
        EXPECT_TRUE(options.insert(option).second);
      }
    }
    EXPECT_FALSE(setting.help.empty());
    EXPECT_EQ(FindSetting(setting.name), &setting);
  }
  EXPECT_EQ(FindSetting("screen"), nullptr);
}

TEST(PrintSettings, AcceptOnlyTheirValues) {
  for (const PrintSetting& setting : kPrintSettings) {
    Look look;
    if (setting.is_number()) {
      EXPECT_TRUE(setting.Set(setting.least, look));
      EXPECT_TRUE(setting.Set(setting.most, look));
      EXPECT_EQ(look.*std::get<double Look::*>(setting.member), setting.most);
      for (const char* wrong : {"", "x", "2x", "nan", "inf", "1,5", "+-1",
                                "999", "-999", " 5", "0x5"}) {
        EXPECT_FALSE(setting.Set(wrong, look)) << setting.name << wrong;
      }
      EXPECT_EQ(look.*std::get<double Look::*>(setting.member), setting.most);
    } else if (setting.is_file()) {
      EXPECT_FALSE(setting.Set("", look));
      EXPECT_FALSE(setting.Set(1.0, look));
    } else {
      EXPECT_GE(setting.Choices().size(), 2u) << setting.name;
      for (const char* wrong : {"", "x", "2.5", "3", "Crisp", "fine,"}) {
        EXPECT_FALSE(setting.Set(wrong, look)) << setting.name << wrong;
      }
    }
    for (const Choice& choice : setting.Choices()) {
      EXPECT_TRUE(setting.Set(choice.name, look)) << choice.name;
      EXPECT_EQ(setting.TextOf(look), choice.name);
      Look copy;
      setting.Copy(look, copy);
      EXPECT_EQ(setting.TextOf(copy), choice.name);
    }
  }
}

TEST(PrintSettings, DefaultsAreAmongTheirValues) {
  for (const Look& defaults : {Look(), DefaultLookOfPrints()}) {
    for (const PrintSetting& setting : kPrintSettings) {
      if (setting.is_file()) continue;
      Look look;
      EXPECT_TRUE(setting.Set(setting.TextOf(defaults), look)) << setting.name;
      EXPECT_EQ(setting.TextOf(look), setting.TextOf(defaults));
    }
    EXPECT_TRUE(CheckNumbers(defaults).ok());
  }
}

TEST(PrintSettings, SignsAndFractionsAreWrittenAsUsual) {
  Look look;
  EXPECT_TRUE(The("contrast").Set("+20", look));
  EXPECT_EQ(look.contrast, 20);
  EXPECT_TRUE(The("contrast").Set("-1.5", look));
  EXPECT_EQ(look.contrast, -1.5);
  EXPECT_EQ(The("contrast").TextOf(look), "-1.5");
  EXPECT_TRUE(The("cluster-size").Set("6.0", look));
  EXPECT_FALSE(The("cluster-size").Set("6.5", look));
  EXPECT_TRUE(The("levels").Set(16.0, look));
  EXPECT_FALSE(The("levels").Set(5.0, look));
}

TEST(PrintSettings, ShowTheirValuesReadably) {
  EXPECT_EQ(The("gamma").Values(), "a number from 0.1 to 10");
  EXPECT_EQ(The("cluster-size").Values(), "a whole number from 2 to 9");
  EXPECT_EQ(The("levels").Values("\""), "2, 4, 8 or 16");
  EXPECT_EQ(The("text-edges").Values(), "off, crisp, soft or barcode");
  EXPECT_EQ(The("tone-aim").Values(), "display or linear");
  EXPECT_EQ(The("technology").Values("\""),
            "\"laser\", \"inkjet\" or \"thermal\"");
  const std::string types = The("halftone-type").Values();
  EXPECT_TRUE(types.starts_with("auto, fine, floyd-steinberg, ")) << types;
  EXPECT_TRUE(types.ends_with(" or " + std::string(Methods().back().name)))
      << types;
}

TEST(PrintSettings, AreTakenFromCupsWithoutRegardToCase) {
  Look look;
  EXPECT_TRUE(The("technology").SetFromCups("Thermal", look));
  EXPECT_EQ(look.technology, Technology::kThermal);
  EXPECT_TRUE(The("tone-curve").SetFromCups("/A/b", look));
  EXPECT_EQ(look.tone_curve, "/A/b");
  EXPECT_TRUE(The("halftone-type").SetFromCups("Bi-Level", look));
  EXPECT_EQ(look.algorithm, Algorithm::kBiLevel);
  EXPECT_FALSE(The("halftone-type").SetFromCups("foo2zjs", look));
}

TEST(PrintSettings, ForeignNamesStandForOurs) {
  for (const ForeignName& foreign : The("halftone-type").ForeignNames()) {
    Look look, ours;
    EXPECT_TRUE(The("halftone-type").SetFromCups(foreign.name, look));
    EXPECT_TRUE(The("halftone-type").Set(foreign.ours, ours));
    EXPECT_EQ(look.algorithm, ours.algorithm);
    EXPECT_FALSE(The("halftone-type").Set(foreign.name, look));
  }
}

}  // namespace
}  // namespace halftoned
