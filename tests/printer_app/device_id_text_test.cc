// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/matching/device_id_text.h"

#include <gtest/gtest.h>

#include <string>

namespace halftoned {
namespace {

constexpr const char* kReal[] = {
    "MFG:Brother;MDL:HL-L2300D series;CMD:PJL,HBP;",
    "MFG:HP;MDL:Officejet Pro L7600;CMD:MLC,PCL,PML,DW-PCL;",
    "MFG:Samsung;CMD:SPL,PJL;MDL:ML-1640;",
    "MANUFACTURER:Canon;COMMAND SET:BJL;MODEL:MP 250/260 (J610)_A & B #2.5;",
};

TEST(CleanDeviceId, KeepsThoseOfRealPrinters) {
  for (const std::string id : kReal) EXPECT_EQ(CleanDeviceId(id), id);
  const std::string id = kReal[0] + std::string("CLS:PRINTER;SN:\u00e4+[1];");
  EXPECT_EQ(CleanDeviceId(id), id);
  EXPECT_EQ(CleanDeviceId(""), "");
}

TEST(CleanDeviceId, IsPrintableAndHasNothingToEscape) {
  EXPECT_EQ(CleanDeviceId("MFG:\"a\\b\";MDL:\x9b\u202e\x1b;"),
            "MFG: a b ;MDL:?????;");
}

TEST(CleanDeviceId, KeepsMakerModelAndCommandsIfItIsTooLong) {
  const std::string id = "SN:" + std::string(500, 's') +
                         ";MFG:HP;Y:1;mdl:Laser 1;Z:" + std::string(600, 'z') +
                         ";CMD:PCL,PS";
  EXPECT_EQ(CleanDeviceId(id),
            "MFG:HP;mdl:Laser 1;CMD:PCL,PS;SN:" + std::string(150, 's') +
                ";Y:1;Z:" + std::string(150, 'z') + ';');
  EXPECT_EQ(CleanDeviceId(id, 20), "MFG:HP;mdl:Laser 1;");
  EXPECT_EQ(CleanDeviceId(id, 0), "");
  const std::string most(400, 'x');
  const std::string longest = CleanDeviceId(
      "MANUFACTURER:" + most + ";MODEL:" + most + ";COMMAND SET:" + most);
  EXPECT_LE(longest.size(), kLongestDeviceId);
  EXPECT_NE(longest.find(";MODEL:x"), longest.npos);
  EXPECT_NE(longest.find(";COMMAND SET:x"), longest.npos);
  for (const char* wrong : {";", ":", "x"}) {
    std::string many;
    while (many.size() < 1023) many += wrong;
    EXPECT_LE(CleanDeviceId(many).size(), kLongestDeviceId) << wrong;
  }
}

TEST(SearchedDeviceId, IsThatOfRealPrinters) {
  for (const std::string id : kReal) {
    EXPECT_EQ(SearchedDeviceId("SN:1;" + id + "CLS:PRINTER;"), id);
  }
  EXPECT_EQ(SearchedDeviceId(" MFG:a;MDL: b"), "MFG:a;MDL: b;");
}

TEST(SearchedDeviceId, IsNoExpression) {
  EXPECT_EQ(SearchedDeviceId("MFG:Evil;MDL:a" + std::string(200, '+') +
                             ":?^$[]{}*|\\\n\"\u00e4;CMD:X;"),
            "MFG:Evil;MDL:a;CMD:X;");
  EXPECT_EQ(SearchedDeviceId("MDL:a;mdl:b;MDL:c;MFG:d;"), "MDL:a;MFG:d;");
}

}  // namespace
}  // namespace halftoned
