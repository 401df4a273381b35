// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/ppd/statements.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/tools/adopt/sample_ppd.h"

namespace halftoned {
namespace {

std::string Joined(std::string_view ppd) {
  std::string text;
  for (const Statement& statement : SplitStatements(ppd)) {
    text.append(statement.text).append(statement.eol);
  }
  return text;
}

TEST(Statements, KeepEveryByte) {
  for (const std::string& text :
       {SamplePpd(), std::string("*A: \"x"), std::string("*A: b\r\n\r*C: \"\n"),
        std::string("\n\n"), std::string("a"), std::string()}) {
    EXPECT_EQ(Joined(text), text);
  }
}

TEST(Statements, EndWithLfCrLfOrCr) {
  const auto statements = SplitStatements("*A: 1\r\n*B: 2\r*C: 3\n*D: 4");
  ASSERT_EQ(statements.size(), 4u);
  EXPECT_EQ(statements[0].eol, "\r\n");
  EXPECT_EQ(statements[1].eol, "\r");
  EXPECT_EQ(statements[2].eol, "\n");
  EXPECT_EQ(statements[3].eol, "");
  EXPECT_EQ(statements[3].keyword, "D");
  EXPECT_EQ(statements[3].value, "4");
}

TEST(Statements, KeywordsAndValues) {
  const auto statements = SplitStatements(
      "*NickName:\t\"Acme, v6\" extra\n*PageSize A4/A4 210: \"x\"\n"
      "*OpenUI *Duplex/2-Sided: PickOne \n*% NickName: \"no\"\n*End\nx: y\n");
  ASSERT_EQ(statements.size(), 6u);
  EXPECT_EQ(statements[0].keyword, "NickName");
  EXPECT_EQ(statements[0].value, "Acme, v6");
  EXPECT_EQ(statements[1].keyword, "PageSize");
  EXPECT_EQ(statements[2].keyword, "OpenUI");
  EXPECT_EQ(statements[2].value, "PickOne");
  for (size_t i : {3u, 4u, 5u}) EXPECT_EQ(statements[i].keyword, "");
}

TEST(Statements, AQuotedValueHidesTheLinesInIt) {
  const auto statements = SplitStatements(
      "*A b: \"\n*NickName: x\n*% no comment\"\n*NickName: \"y\"\n");
  ASSERT_EQ(statements.size(), 2u);
  EXPECT_FALSE(statements[0].is_one_line());
  EXPECT_EQ(statements[0].value, "\n*NickName: x\n*% no comment");
  EXPECT_EQ(statements[1].value, "y");
}

}  // namespace
}  // namespace halftoned
