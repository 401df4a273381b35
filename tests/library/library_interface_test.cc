// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What halftone.h promises beside the bits.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "halftone/look/settings.h"
#include "tests/library/handles.h"
#include "tests/library/sample_page.h"

namespace halftoned::testing {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionSuccess;

std::vector<uint8_t> BitsOf(const ht_engine* engine, const ht_recipe* recipe) {
  const auto gray = SampleGray();
  std::vector<uint8_t> bits(kRowBytes * kRows);
  ht_error error;
  EXPECT_EQ(ht_halftone(engine, recipe, &kLayout, gray.data(), 0, kRows,
                        bits.data(), 0, &error),
            HT_OK)
      << error.text;
  return bits;
}

// The options are refused with this status and text.
::testing::AssertionResult Refuses(const std::string& options,
                                   const std::string& text,
                                   const char* curve = nullptr) {
  ht_recipe* recipe = nullptr;
  ht_error error;
  const ht_status status =
      ht_recipe_new(options.c_str(), curve, &recipe, &error);
  if (recipe) return AssertionFailure() << "there is a recipe";
  return Says(status, error, HT_BAD_INPUT, text);
}

TEST(LibraryVersion, MatchesTheHeader) {
  EXPECT_EQ(std::string(ht_version()), std::to_string(HT_VERSION_MAJOR) + "." +
                                           std::to_string(HT_VERSION_MINOR) +
                                           "." +
                                           std::to_string(HT_VERSION_PATCH));
}

TEST(LibraryOptions, AreTheSettingsAndTheirJobOptions) {
  int count = 0;
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.MayBeSetBy(kLibraryOption)) continue;
    ++count;
    const std::string name(setting.name);
    const Look look;
    const std::string value = setting.TextOf(look);
    EXPECT_TRUE(NewRecipe(name + "=" + value)) << name;
    const std::string option(setting.job_option);
    EXPECT_TRUE(option.empty() || NewRecipe(option + "=" + value)) << option;
    EXPECT_TRUE(
        Refuses(name + "=none", "option '" + name + "': 'none' is not"));
    EXPECT_TRUE(Refuses("x" + name + "=1", "unknown option 'x" + name + "'"));
  }
  EXPECT_GT(count, 10);
}

TEST(LibraryOptions, ExcludePrinterFiles) {
  EXPECT_TRUE(Refuses("tone-curve=/etc/passwd", "unknown option 'tone-curve'"));
}

TEST(LibraryOptions, NeedAValue) {
  EXPECT_TRUE(
      Refuses("halftone-type=fine,levels", "option 'levels' has no value"));
  EXPECT_TRUE(Refuses("levels=", "option 'levels': '' is not 2, 4, 8 or 16"));
  EXPECT_TRUE(Refuses("=2", "unknown option ''"));
}

TEST(LibraryOptions, HaveTheNamesOfSettingsOrOfJobOptions) {
  EXPECT_TRUE(NewRecipe("halftone-type=fine,gamma=2,halftone-gamma=2"));
  for (const char* name : {"type", "resolution", "halftone-dpi", "GAMMA"}) {
    EXPECT_TRUE(Refuses(std::string(name) + "=1",
                        "unknown option '" + std::string(name) + "'"));
  }
}

TEST(LibraryOptions, UseADecimalPoint) {
  EXPECT_TRUE(NewRecipe("gamma=1.8"));
  EXPECT_TRUE(Refuses("gamma=1,8",
                      "option 'gamma': '1,8' is not a number from "
                      "0.1 to 10, with a point for decimals"));
  EXPECT_TRUE(Refuses("gamma=0,8,levels=2", "option 'gamma': '0,8' is not"));
  EXPECT_TRUE(Refuses("levels=2,4", "option 'levels': '2,4' is not"));
  EXPECT_TRUE(Refuses("dpi=203,2", "'203,2' is not a number from 1 to 19200"));
  EXPECT_TRUE(Refuses("gamma=2, 8", "option '8' has no value"));
}

TEST(LibraryOptions, LaterOnesWin) {
  EXPECT_EQ(ht_recipe_levels(NewRecipe("levels=2, levels=4").get()), 4);
  EXPECT_EQ(ht_recipe_levels(NewRecipe("levels=4,\n halftone-levels=2").get()),
            2);
}

TEST(LibraryOptions, ContradictionsAreRefused) {
  EXPECT_TRUE(
      Refuses("halftone-type=clustered,levels=4", "clustered has two levels"));
}

TEST(LibraryOptions, AResolutionIsOneNumberOrTwo) {
  // "dpi" as print jobs have it.
  for (const char* good :
       {"600", "600x1200", "300dpi", "1200x600dpi", "203.2", "1", "19200"}) {
    EXPECT_TRUE(NewRecipe(std::string("dpi=") + good)) << good;
  }
  for (const char* bad : {"", "0", "19201", "600x", "x600", "600x0", "-600",
                          "nan", "inf", "600x600x600", "dpi", "6oo"}) {
    EXPECT_TRUE(Refuses(std::string("dpi=") + bad,
                        std::string("'dpi': '") + bad + "' is not"));
  }
}

TEST(LibraryOptions, AResolutionGivesADotGainUnlessOneIsGiven) {
  const auto bits = [](const char* options) {
    return BitsOf(nullptr, NewRecipe(options).get());
  };
  EXPECT_NE(bits("dpi=600"), bits(""));
  EXPECT_EQ(bits("dpi=600,dot-gain=0"), bits(""));
  EXPECT_NE(bits("dpi=600,technology=thermal"), bits("dpi=600"));
}

TEST(LibraryOptions, AMeasuredCurveReplacesTheDotGain) {
  const char* curve = "0 0\n128 200\n255 255\n";
  ht_recipe* recipe = nullptr;
  ASSERT_EQ(ht_recipe_new("dot-gain=30", curve, &recipe, nullptr), HT_OK);
  const RecipeHandle with_gain(recipe);
  ASSERT_EQ(ht_recipe_new(nullptr, curve, &recipe, nullptr), HT_OK);
  const RecipeHandle without(recipe);
  EXPECT_EQ(BitsOf(nullptr, with_gain.get()), BitsOf(nullptr, without.get()));
  EXPECT_NE(BitsOf(nullptr, without.get()),
            BitsOf(nullptr, NewRecipe("").get()));
  EXPECT_TRUE(Refuses("", "tone curve: line 1", "0 1\n255 255\n"));
}

TEST(LibraryRecipe, DescribesItself) {
  const RecipeHandle fine = NewRecipe("");
  EXPECT_STREQ(ht_recipe_type(fine.get()), "fine");
  EXPECT_EQ(ht_recipe_type_version(fine.get()),
            FindMethod(Algorithm::kFine)->id.version);
  EXPECT_EQ(ht_recipe_levels(fine.get()), 2);
  EXPECT_EQ(ht_recipe_bits_per_sample(fine.get()), 1);
  EXPECT_EQ(ht_recipe_row_bytes(fine.get(), 9), 2U);
  for (const int32_t width : {0, -1, (1 << 18) + 1}) {
    EXPECT_EQ(ht_recipe_row_bytes(fine.get(), width), 0U);
  }
  const RecipeHandle gray = NewRecipe("levels=8");
  EXPECT_STREQ(ht_recipe_type(gray.get()), "fine");
  EXPECT_EQ(ht_recipe_bits_per_sample(gray.get()), 4);
  EXPECT_EQ(ht_recipe_row_bytes(gray.get(), 9), 5U);
}

TEST(LibraryErrors, ArePrintableAndCutBetweenCharacters) {
  std::string options = "\x1b[31m\n";
  for (int i = 0; i < 200; ++i) options += "ä";
  ht_recipe* recipe = nullptr;
  ht_error error;
  ASSERT_EQ(ht_recipe_new((options + "=1").c_str(), nullptr, &recipe, &error),
            HT_BAD_INPUT);
  const std::string text = error.text;
  // The line ends the first option.
  EXPECT_EQ(text.substr(0, 22), "option '?[31m' has no ");
  ASSERT_EQ(ht_recipe_new((options.substr(6) + "=1").c_str(), nullptr, &recipe,
                          &error),
            HT_BAD_INPUT);
  EXPECT_EQ(std::string(error.text).size(), sizeof(error.text) - 2);
  EXPECT_TRUE(std::string(error.text).ends_with("ä"));
}

TEST(LibraryErrors, CanBeIgnored) {
  ht_recipe* recipe = nullptr;
  EXPECT_EQ(ht_recipe_new("levels=3", nullptr, &recipe, nullptr), HT_BAD_INPUT);
  EXPECT_EQ(ht_page_end(nullptr, nullptr), HT_BUG);
}

TEST(LibraryErrors, AreClearedBySuccess) {
  ht_error error;
  ht_recipe* recipe = nullptr;
  ASSERT_EQ(ht_recipe_new("levels=3", nullptr, &recipe, &error), HT_BAD_INPUT);
  ASSERT_EQ(ht_recipe_new("levels=4", nullptr, &recipe, &error), HT_OK);
  EXPECT_EQ(error.status, HT_OK);
  EXPECT_STREQ(error.text, "");
  ht_recipe_free(recipe);
}

TEST(LibraryEngines, AreFoundByName) {
  const RecipeHandle recipe = NewRecipe("");
  const EngineHandle scalar = NewEngine("scalar", 1);
  EXPECT_STREQ(
      ht_page_engine(NewPage(scalar.get(), recipe.get(), kLayout).get()),
      "scalar");
  ht_engine* none = nullptr;
  ht_error error;
  EXPECT_TRUE(Says(ht_engine_new("turbo", 1, &none, &error), error,
                   HT_BAD_INPUT,
                   "no engine is called 'turbo'; there are auto"));
  for (const int threads : {-1, 257}) {
    EXPECT_TRUE(Says(ht_engine_new("auto", threads, &none, &error), error,
                     HT_BAD_INPUT, "are not in 0 … 256"));
  }
  EXPECT_EQ(none, nullptr);
}

TEST(LibraryEngines, CanBeFreedBeforeTheirPages) {
  for (const int threads : {1, 2}) {
    RecipeHandle recipe = NewRecipe("");
    const auto expected = BitsOf(nullptr, recipe.get());
    EngineHandle engine = NewEngine(nullptr, threads);
    const PageHandle page = NewPage(engine.get(), recipe.get(), kLayout);
    recipe.reset();
    engine.reset();
    ht_room room;
    ASSERT_EQ(ht_page_lend(page.get(), &room, nullptr), HT_OK);
    ASSERT_GE(room.rows, kRows);
    const auto gray = SampleGray();
    std::memcpy(room.gray, gray.data(), gray.size());
    ASSERT_EQ(ht_page_submit(page.get(), kRows, 1, nullptr), HT_OK);
    ht_rows rows;
    ASSERT_EQ(ht_page_take(page.get(), &rows, nullptr), HT_OK);
    ASSERT_EQ(rows.rows, kRows);
    EXPECT_EQ(std::memcmp(rows.bits, expected.data(), expected.size()), 0);
  }
}

size_t ThreadsOfThisProcess() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST(LibraryEngines, StartThreadsWithTheFirstRowAndOnlyIfAsked) {
  const RecipeHandle recipe = NewRecipe("");
  const size_t before = ThreadsOfThisProcess();
  const EngineHandle alone = NewEngine(nullptr, 1);
  BitsOf(alone.get(), recipe.get());
  EXPECT_EQ(ThreadsOfThisProcess(), before);
  EngineHandle threads = NewEngine(nullptr, 2);
  const PageHandle page = NewPage(threads.get(), recipe.get(), kLayout);
  EXPECT_EQ(ThreadsOfThisProcess(), before);
  BitsOf(threads.get(), recipe.get());
  EXPECT_GT(ThreadsOfThisProcess(), before);
}

// Whether a child of this process makes the same bits with `engine`.
bool ChildMakes(const std::vector<uint8_t>& bits, const ht_engine* engine,
                const ht_recipe* recipe) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(BitsOf(engine, recipe) == bits ? 0 : 1);
  int status = -1;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

TEST(LibraryEngines, CanBeForkedBeforeFirstUse) {
  const RecipeHandle recipe = NewRecipe("halftone-type=clustered");
  const auto bits = BitsOf(nullptr, recipe.get());
  const EngineHandle threads = NewEngine(nullptr, 3);
  EXPECT_TRUE(ChildMakes(bits, threads.get(), recipe.get()));
  EXPECT_EQ(BitsOf(threads.get(), recipe.get()), bits);
  const EngineHandle alone = NewEngine(nullptr, 1);
  EXPECT_EQ(BitsOf(alone.get(), recipe.get()), bits);
  EXPECT_TRUE(ChildMakes(bits, alone.get(), recipe.get()));
}

TEST(LibraryEngines, ServeSeveralThreads) {
  const RecipeHandle recipe = NewRecipe("");
  const auto bits = BitsOf(nullptr, recipe.get());
  for (const int own : {1, 2}) {
    const EngineHandle engine = NewEngine(nullptr, own);
    std::vector<std::thread> callers;
    std::vector<std::vector<uint8_t>> made(4);
    for (auto& one : made) {
      callers.emplace_back([&] { one = BitsOf(engine.get(), recipe.get()); });
    }
    for (std::thread& caller : callers) caller.join();
    for (const auto& one : made) EXPECT_EQ(one, bits);
  }
}

TEST(LibraryCall, RefusesWrongArguments) {
  const RecipeHandle recipe = NewRecipe("");
  std::vector<uint8_t> gray(5000);
  std::vector<uint8_t> bits(5000);
  const auto status = [&](ht_layout layout, const uint8_t* from,
                          size_t gray_stride, int64_t rows, uint8_t* to,
                          size_t bits_stride) {
    return ht_halftone(nullptr, recipe.get(), &layout, from, gray_stride, rows,
                       to, bits_stride, nullptr);
  };
  uint8_t* const in = gray.data();
  uint8_t* const out = bits.data();
  EXPECT_EQ(status({100, 8, 0, 0, 0}, in, 100, 9, out, 13), HT_OK);
  EXPECT_EQ(status({100, 8, 0, 0, 0}, in, 99, 9, out, 13), HT_BAD_INPUT);
  EXPECT_EQ(status({100, 8, 0, 0, 0}, in, 100, 9, out, 12), HT_BAD_INPUT);
  EXPECT_EQ(status({100, 8, 0, 0, 0}, in, SIZE_MAX, 9, out, 13), HT_BAD_INPUT);
  EXPECT_EQ(status({100, 8, 0, 0, 0}, in, 100, 9, out, SIZE_MAX / 2),
            HT_BAD_INPUT);
  EXPECT_EQ(status({100, 8, 0, 0, 0}, in, 0, -1, out, 0), HT_BAD_INPUT);
  EXPECT_EQ(status({100, 8, (int64_t{1} << 32) - 2, 0, 0}, in, 0, 3, out, 0),
            HT_BAD_INPUT);
  EXPECT_EQ(status({100, 8, (int64_t{1} << 32) - 3, 0, 0}, in, 0, 3, out, 0),
            HT_OK);
  EXPECT_EQ(status({100, 16, 0, 0, 0}, in + 1, 0, 9, out, 0), HT_BAD_INPUT);
  EXPECT_EQ(status({100, 16, 0, 0, 0}, in, 201, 9, out, 0), HT_BAD_INPUT);
  EXPECT_EQ(status({100, 16, 0, 0, 0}, in, 202, 9, out, 0), HT_OK);
  EXPECT_EQ(status({100, 8, 0, 0, 0}, nullptr, 0, 9, out, 0), HT_BUG);
  EXPECT_EQ(status({100, 8, 0, 0, 0}, in, 0, 9, nullptr, 0), HT_BUG);
  EXPECT_EQ(
      ht_halftone(nullptr, recipe.get(), nullptr, in, 0, 9, out, 0, nullptr),
      HT_BUG);
  EXPECT_EQ(ht_halftone(nullptr, nullptr, &kLayout, in, 0, 9, out, 0, nullptr),
            HT_BUG);
}

}  // namespace
}  // namespace halftoned::testing
