// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/ghostscript/gs_call.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace halftoned {
namespace {

Result<GsCall> Called(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return GsCall::Parse(pointers);
}

using Words = std::vector<std::string>;

TEST(GsCall, PrintsDotsWithTheSameOptionsAndOutput) {
  const auto call =
      Called({"-q", "-sDEVICE=ljet4", "-r600", "-dMediaPosition=4",
              "-sOutputFile=|cat 1>&3", "gamma.ps", "-c",
              "<</Duplex true>> setpagedevice", "-f", "-"});
  ASSERT_TRUE(call.ok());
  EXPECT_EQ(call->device(), "ljet4");
  EXPECT_EQ(call->ForDots(),
            (Words{"-q", "-r600", "-dMediaPosition=4", "-sOutputFile=|cat 1>&3",
                   "-sDEVICE=ljet4", "-_"}));
}

TEST(GsCall, RendersTheDocumentWithTheSameOptions) {
  const auto call = Called({"-r600", "-sDEVICE=ljet4", "-sOutputFile=-",
                            "gamma.ps", "-c", "showpage", "-f", "-"});
  ASSERT_TRUE(call.ok());
  const Words words = call->ForGray("%stdout", "/profile");
  const Words document = {"-r600", "gamma.ps", "-c", "showpage", "-f", "-"};
  ASSERT_GT(words.size(), document.size());
  EXPECT_TRUE(std::equal(document.rbegin(), document.rend(), words.rbegin()));
  EXPECT_EQ(words.front(), "-sDEVICE=cups");
  EXPECT_EQ(std::ranges::count(words, "-sOutputFile=%stdout"), 1);
  EXPECT_EQ(std::ranges::count(words, "-sOutputFile=-"), 0);
}

TEST(GsCall, RendersAtTheDevicesResolutionByDefault) {
  const auto named = [](const Words& words) {
    const auto rendered = Called(words)->ForGray("%stdout", "/profile");
    return std::ranges::count(rendered, "-r240x72");
  };
  EXPECT_EQ(named({"-sDEVICE=epson", "-"}), 1);
  EXPECT_EQ(named({"-sDEVICE=epson", "-r360x180", "-"}), 0);
  EXPECT_EQ(named({"-sDEVICE=epson", "-dDEVICEXRESOLUTION=360", "-"}), 0);
}

TEST(GsCall, ASiblingOfADeviceThatDithersGetsTheDots) {
  const auto call = Called({"-sDEVICE=lj4dith", "-dMediaPosition=4", "-"});
  ASSERT_TRUE(call.ok());
  EXPECT_EQ(call->ForDots(), (Words{"-sDEVICE=ljet4", "-_"}));
  EXPECT_EQ(Called({"-sDEVICE=lj5gray", "-"})->ForDots(),
            (Words{"-sDEVICE=lj5mono", "-_"}));
}

TEST(GsCall, PrintsAFileUnchanged) {
  const auto call = Called({"-sDEVICE=lj4dith", "-r600", "-sOutputFile=-",
                            "-dMediaPosition=4", "-f", "a.pdf"});
  ASSERT_TRUE(call.ok());
  EXPECT_EQ(call->only_file(), "a.pdf");
  EXPECT_EQ(call->ForBlack("/profile"),
            (Words{"-r600", "-sOutputFile=-", "-sDEVICE=ljet4",
                   "-sDefaultCMYKProfile=/profile", "-f", "a.pdf"}));
}

TEST(GsCall, RecognizesCallsWithOnlyAFile) {
  EXPECT_EQ(Called({"a.pdf"})->only_file(), "a.pdf");
  for (const Words& words :
       {Words{"-r600"}, Words{"-"}, Words{"-f", "-"}, Words{"a.ps", "b.pdf"},
        Words{"-c", "0 setgray", "-f", "a.pdf"},
        Words{"-dFirstPage=2", "-f", "a.pdf"},
        Words{"-dNumCopies=2", "a.pdf"}}) {
    EXPECT_EQ(Called(words)->only_file(), "") << words.back();
  }
}

TEST(GsCall, TheLastDeviceCounts) {
  EXPECT_EQ(Called({"-sDEVICE=ljet4", "-sDEVICE=pbmraw"})->device(), "pbmraw");
  EXPECT_EQ(Called({"--version"})->device(), "");
}

TEST(GsCall, RefusesAmbiguousCalls) {
  for (const Words& words :
       {Words{"-o", "out"}, Words{"-sDEVICE", "ljet4"}, Words{"--", "a.ps"},
        Words{"@arguments"}, Words{"-sOutputFile", "-"}}) {
    EXPECT_FALSE(Called(words).ok()) << words.front();
  }
}

TEST(DeviceNamed, KnowsReplaceableDevices) {
  EXPECT_EQ(DeviceNamed("ljet4").kind, DeviceKind::kDots);
  EXPECT_EQ(DeviceNamed("pdfwrite").kind, DeviceKind::kDocument);
  EXPECT_EQ(DeviceNamed("ijs").kind, DeviceKind::kUnknown);
  EXPECT_EQ(DeviceNamed("lq850").kind, DeviceKind::kUnknown);
  EXPECT_EQ(DeviceNamed("").kind, DeviceKind::kUnknown);
}

}  // namespace
}  // namespace halftoned
