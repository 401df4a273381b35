// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/messages.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

#include "base/descriptor.h"

namespace halftoned {
namespace {

std::string Said(std::string_view text) {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "no pipe";
  const Descriptor out(ends[0]);
  Descriptor in(ends[1]);
  Messages(in.get()).Debug(text);
  in.Close();
  std::string line(4096, '\0');
  line.resize(*ReadFully(out.get(), std::as_writable_bytes(std::span(line))));
  return line;
}

TEST(Messages, AreOnePrintableLine) {
  EXPECT_EQ(Said("a b\n\x1b[m\x7f"), "DEBUG: a b??[m?\n");
  EXPECT_EQ(Said("\u00e4\u20ac\U0001f5a8"), "DEBUG: \u00e4\u20ac\U0001f5a8\n");
}

TEST(Messages, AreUtf8) {
  EXPECT_EQ(Said("\xff\xc3"), "DEBUG: ??\n");
  EXPECT_EQ(Said("\xc2\x80"), "DEBUG: ??\n");            // a control
  EXPECT_EQ(Said("\xc0\xaf"), "DEBUG: ??\n");            // too long
  EXPECT_EQ(Said("\xed\xa0\x80"), "DEBUG: ???\n");       // a surrogate
  EXPECT_EQ(Said("\xf4\x90\x80\x80"), "DEBUG: ????\n");  // past the end
}

TEST(Messages, AreCutBetweenCharacters) {
  const std::string filler(511, 'a');
  EXPECT_EQ(Said(filler + "\u00e4"), "DEBUG: " + filler + "\n");
  EXPECT_EQ(Said(filler + "bc"), "DEBUG: " + filler + "b\n");
}

}  // namespace
}  // namespace halftoned
