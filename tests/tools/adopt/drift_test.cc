// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/change/drift.h"

#include <gtest/gtest.h>

#include "adopt/change/adoption.h"
#include "tests/tools/adopt/sample_ppd.h"

namespace halftoned {
namespace {

using Models = std::vector<std::string>;

TEST(Drift, IgnoresDefaultsAndLineEnds) {
  const std::string adopted = *Adopt(SamplePpd());
  EXPECT_EQ(DriftOf(adopted, {}), "");
  EXPECT_FALSE(IsDifferent(
      adopted, Replaced(adopted, "PageSize: A4\n", "PageSize: Letter\r\n")));
  EXPECT_EQ(DriftOf(Replaced(adopted, "PageSize: A4", "PageSize: Letter"), {}),
            "");
}

TEST(Drift, IsAChangedOptionOrFilter) {
  const std::string adopted = *Adopt(SamplePpd());
  for (const auto& [text, other] :
       {std::pair("*halftonedOutput: \"cups-raster\"\n", ""),
        std::pair("/cupsBitsPerColor 8>>", "/cupsBitsPerColor 16>>"),
        std::pair("*cupsFilter2: \"application/x-halftoned-raster",
                  "*cupsFilter2: \"application/vnd.cups-raster")}) {
    EXPECT_EQ(DriftOf(Replaced(adopted, text, other), {}),
              "it was changed after adoption; adopt it again");
  }
}

TEST(Drift, IsADriverOfAnotherVersion) {
  const std::string adopted = *Adopt(SamplePpd());
  EXPECT_EQ(DriftOf(adopted, {"Acme Laser, using raster v6"}), "");
  EXPECT_EQ(DriftOf(adopted, {"Acme Laser 2, using raster v7", "Acme", ""}),
            "");
  EXPECT_EQ(DriftOf(adopted, {"A", "Acme Laser, using raster v7"}),
            "its driver is now Acme Laser, using raster v7; release the queue, "
            "install that driver, and adopt it again");
}

TEST(Drift, DistinguishesModelsByTheirNumbers) {
  const std::string adopted =
      *Adopt(Replaced(SamplePpd(), "*NickName: \"Acme Laser, using raster v6\"",
                      "*NickName: \"Acme HL-2030\""));
  EXPECT_EQ(DriftOf(adopted, {"Acme HL-2040"}), "");
}

}  // namespace
}  // namespace halftoned
