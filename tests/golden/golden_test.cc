// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The committed pages, made by a second implementation (methods.py), must
// come out of the definition and of every engine of this machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "tests/equality/difference.h"
#include "tests/equality/oracle.h"
#include "tests/equality/pages.h"
#include "tests/equality/run_engine.h"

namespace halftoned::testing {
namespace {

// The little of PNM that the committed files use: no comments, raw samples.
struct Pnm {
  std::string magic;
  int width = 0;
  int rows = 0;
  int maxval = 1;
  std::string raster;
};

Pnm ReadPnm(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Pnm pnm;
  file >> pnm.magic >> pnm.width >> pnm.rows;
  if (pnm.magic == "P5") file >> pnm.maxval;
  file.get();
  pnm.raster.assign(std::istreambuf_iterator<char>(file), {});
  return pnm;
}

struct GoldenPage {
  std::string name;
  int levels;
  double gamma;
  std::string algorithm;
  std::vector<int32_t> parameters;
};

std::vector<GoldenPage> GoldenPages() {
  std::ifstream table(HALFTONED_GOLDEN "/pages.txt");
  std::vector<GoldenPage> pages;
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    GoldenPage page;
    if (line[0] == '#') continue;
    fields >> page.name >> page.levels >> page.gamma >> page.algorithm;
    for (int32_t parameter; fields >> parameter;) {
      page.parameters.push_back(parameter);
    }
    pages.push_back(page);
  }
  return pages;
}

GrayPage ReadGray(const std::string& name) {
  const Pnm pnm = ReadPnm(HALFTONED_GOLDEN "/" + name + ".pgm");
  const Page page = *Page::Make(pnm.width, pnm.maxval > 255 ? 16 : 8);
  GrayPage gray{page, pnm.rows, {}};
  for (size_t i = 0; i < pnm.raster.size(); ++i) {
    // PNM is big-endian, the engine native.
    const size_t at = page.depth() == Depth::k16 ? i ^ 1 : i;
    gray.samples.push_back(static_cast<std::byte>(pnm.raster[at]));
  }
  return gray;
}

Recipe RecipeOf(const GoldenPage& golden) {
  Recipe::Parts parts;
  parts.levels = golden.levels;
  parts.curve = *ToneCurve::FromGamma(golden.gamma);
  if (const Method* method = FindMethod(golden.algorithm)) {
    parts.algorithm = method->id.algorithm;
    parts.version = method->id.version;
  }
  std::ranges::copy(golden.parameters, parts.parameters.begin());
  Recipe recipe = *Recipe::Make(parts);
  EXPECT_EQ(recipe.name(), golden.algorithm);
  return recipe;
}

BitPage ReadExpected(const GoldenPage& golden, const Recipe& recipe,
                     const Carry& any) {
  const bool bilevel = golden.levels == 2;
  const Pnm pnm = ReadPnm(HALFTONED_GOLDEN "/" + golden.name + ".expected." +
                          (bilevel ? "pbm" : "pgm"));
  const size_t bytes_per_row = recipe.bit_bytes_per_row(pnm.width);
  BitPage page{
      bytes_per_row,
      std::vector<std::byte>(bytes_per_row * static_cast<size_t>(pnm.rows)),
      any};
  const int bits = recipe.levels().bits_per_sample;
  for (int i = 0; i < pnm.rows; ++i) {
    std::byte* row = page.bytes.data() + static_cast<size_t>(i) * bytes_per_row;
    for (int j = 0; j < pnm.width; ++j) {
      const size_t at = bilevel ? static_cast<size_t>(i) * bytes_per_row +
                                      static_cast<size_t>(j / 8)
                                : static_cast<size_t>(i * pnm.width + j);
      // PBM has 1 for black.
      const int sample =
          bilevel ? ~pnm.raster[at] >> (7 - j % 8) & 1 : pnm.raster[at];
      row[j * bits / 8] |=
          static_cast<std::byte>(sample << (8 - bits - j * bits % 8));
    }
  }
  return page;
}

TEST(Golden, EveryMethodHasAPage) {
  const auto pages = GoldenPages();
  for (const Method& method : ShippedMethods()) {
    EXPECT_NE(std::ranges::find(pages, method.name, &GoldenPage::algorithm),
              pages.end())
        << method.name;
  }
}

TEST(Golden, EveryEngineMakesThePagesOfTheSecondImplementation) {
  const auto pages = GoldenPages();
  ASSERT_GE(pages.size(), 27u);
  Pool pool(2);
  const EngineList engines = LocalEngines(pool);
  for (const GoldenPage& golden : pages) {
    SCOPED_TRACE(golden.name);
    const GrayPage gray = ReadGray(golden.name);
    const Recipe recipe = RecipeOf(golden);
    const Carry start = Carry::AtStart(recipe, gray.page);
    const BitPage expected = ReadExpected(golden, recipe, start);
    EXPECT_EQ(DescribeDifference(expected, HalftoneWhole(gray, recipe, start),
                                 recipe, gray.page),
              "");
    for (const auto& engine : engines) {
      if (!engine->Probe().ok() || !engine->Serves(recipe).ok()) continue;
      const auto actual =
          RunEngine(*engine, gray, recipe, start, {"whole", {gray.rows}});
      ASSERT_TRUE(actual.ok()) << engine->name() << actual.error().message;
      EXPECT_EQ(DescribeDifference(expected, *actual, recipe, gray.page), "")
          << engine->name();
    }
  }
}

}  // namespace
}  // namespace halftoned::testing
