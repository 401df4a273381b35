// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/message_reader.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace halftoned {
namespace {

struct Messages {
  std::vector<std::string> lines;
  std::string text;
};

Messages MessagesIn(std::vector<std::string> pieces) {
  Messages messages;
  auto reader = MessageReader::Start(
      [&](std::string_view line) { messages.lines.emplace_back(line); });
  EXPECT_TRUE(reader.ok());
  for (const std::string& piece : pieces) {
    const auto bytes = std::as_bytes(std::span(piece));
    EXPECT_TRUE(WriteFully((*reader)->writing().get(), bytes).ok());
  }
  messages.text = (*reader)->Text();
  return messages;
}

TEST(MessageReader, LogsLinesThatArriveInPieces) {
  const Messages messages = MessagesIn({"one", " line\n\nan", "other\nlast"});
  EXPECT_EQ(messages.lines,
            (std::vector<std::string>{"one line", "", "another", "last"}));
  EXPECT_EQ(messages.text, "one line\n\nanother\nlast");
  EXPECT_EQ(MessagesIn({}).lines.size(), 0u);
}

TEST(MessageReader, TheRestOfALongLineIsNoOtherLine) {
  const std::string start(2048, 'a');
  const std::string rest(3000, 'b');
  EXPECT_EQ(MessagesIn({start + rest + "\nnext\n"}).lines,
            (std::vector<std::string>{start, "next"}));
  EXPECT_EQ(MessagesIn({start, rest, "\n", "next"}).lines,
            (std::vector<std::string>{start, "next"}));
}

TEST(MessageReader, KeepsTheFirstMessages) {
  const std::string line(999, 'a');
  std::vector<std::string> pieces(200, line + "\n");
  const Messages messages = MessagesIn(pieces);
  EXPECT_EQ(messages.lines.size(), 200u);
  EXPECT_EQ(messages.text.size(), size_t{64} << 10);
}

TEST(MessageReader, EndsAlthoughSomebodyMightWrite) {
  std::vector<std::string> lines;
  const auto reader = MessageReader::Start(
      [&](std::string_view line) { lines.emplace_back(line); });
  ASSERT_TRUE(reader.ok());
  const Descriptor other(::dup((*reader)->writing().get()));
  const std::string said = "said\n";
  EXPECT_TRUE(WriteFully(other.get(), std::as_bytes(std::span(said))).ok());
  (*reader)->End();
  EXPECT_EQ(lines, std::vector<std::string>{"said"});
}

TEST(MessageReader, EndsAlthoughSomebodyWrites) {
  ::signal(SIGPIPE, SIG_IGN);
  auto reader = MessageReader::Start({});
  ASSERT_TRUE(reader.ok());
  const Descriptor other(::dup((*reader)->writing().get()));
  std::thread writer([&] {
    const std::vector<std::byte> bytes(4096);
    while (WriteFully(other.get(), bytes).ok()) continue;
  });
  (*reader)->End();
  *reader = nullptr;  // nobody reads any more
  writer.join();
}

TEST(MessageReader, NeedsNoLog) {
  auto reader = MessageReader::Start({});
  ASSERT_TRUE(reader.ok());
  const std::string said = "said\n";
  EXPECT_TRUE(
      WriteFully((*reader)->writing().get(), std::as_bytes(std::span(said)))
          .ok());
  EXPECT_EQ((*reader)->Text(), said);
}

}  // namespace
}  // namespace halftoned
