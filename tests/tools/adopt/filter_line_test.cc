// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/change/filter_line.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

std::string AdoptedFrom(const char* value, bool has_destination) {
  const auto line = FilterLine::Parse(value, has_destination);
  return line.ok() ? line->Adopted() : line.error().message;
}

TEST(FilterLine, RasterAlwaysComesFromUs) {
  EXPECT_EQ(AdoptedFrom("application/vnd.cups-raster 33 rastertox", false),
            "application/x-halftoned-raster application/x-halftoned-printed "
            "33 rastertox");
  EXPECT_EQ(
      AdoptedFrom("application/vnd.CUPS-raster\tx/y  0  maxsize(9) a b", true),
      "application/x-halftoned-raster x/y 0 maxsize(9) a b");
}

TEST(FilterLine, CommandsAreKept) {
  EXPECT_EQ(AdoptedFrom("application/vnd.cups-command 0 commandtox", false),
            "application/vnd.cups-command application/x-halftoned-printed 0 "
            "commandtox");
}

TEST(FilterLine, InvalidLinesAreRefused) {
  for (const char* value : {"", "application/vnd.cups-raster", "a/b 0", "a 0 x",
                            "/b 0 x", "a/ 0 x", "a/b x y", "a/b -1 x"}) {
    EXPECT_FALSE(FilterLine::Parse(value, false).ok()) << value;
  }
  EXPECT_FALSE(FilterLine::Parse("a/b 0 x", true).ok());
}

TEST(FilterLine, ProgramsAreRecognizedByName) {
  for (const char* value : {"a/b 0 prog", "a/b 0 /usr/lib/cups/filter/prog",
                            "a/b 0 maxsize(5) prog"}) {
    EXPECT_TRUE(FilterLine::Parse(value, false)->names_program("prog"))
        << value;
  }
  EXPECT_FALSE(FilterLine::Parse("a/b 0 xprog", false)->names_program("prog"));
}

}  // namespace
}  // namespace halftoned
