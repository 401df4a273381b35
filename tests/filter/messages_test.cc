// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/messages.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

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

TEST(Messages, DoNotDelayAStop) {
  std::array<int, 2> ends;
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const Descriptor out(ends[0]);
  const Descriptor in(ends[1]);
  ASSERT_EQ(::fcntl(in.get(), F_SETPIPE_SZ, 4096), 4096);
  const std::string full(4096, 'x');
  ASSERT_TRUE(WriteFully(in.get(), std::as_bytes(std::span(full))).ok());

  Stop stop = std::move(*Stop::Make());
  std::thread stopper([&] { stop.Request(); });
  Messages messages(in.get(), &stop);
  messages.Debug("nobody reads this");
  stopper.join();
  messages.Debug("nor this");
  int unread = 0;
  ASSERT_EQ(::ioctl(out.get(), FIONREAD, &unread), 0);
  EXPECT_EQ(unread, 4096);
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
