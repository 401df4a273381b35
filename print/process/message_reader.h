// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what a program writes to stderr, in a thread of its own, so that the
// program never waits for a reader.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/process/pipe.h"
#include "print/process/stop.h"

namespace halftoned {

// Gets each line, without its end and at most the first 2 KiB of it. A document
// may have caused any byte of it.
using MessageLog = std::function<void(std::string_view line)>;

class MessageReader {
 public:
  // log: called by the thread; may be empty.
  static Result<std::unique_ptr<MessageReader>> Start(MessageLog log);
  ~MessageReader() { End(); }
  MessageReader(const MessageReader&) = delete;
  MessageReader& operator=(const MessageReader&) = delete;

  // The program's stderr. Close it here once the program has started.
  Descriptor& writing() { return pipe_.writing; }

  // The first 64 KiB of the messages, once the program and all that it started
  // have ended.
  const std::string& Text();

  // Logs the messages so far, and no more.
  void End();

 private:
  MessageReader(Pipe pipe, Stop end, MessageLog log)
      : pipe_(std::move(pipe)), end_(std::move(end)), log_(std::move(log)) {}
  void Read();
  void Keep(std::string_view text);
  void Log(std::string_view text);

  Pipe pipe_;
  Stop end_;
  const MessageLog log_;
  std::string line_;  // so far
  std::string text_;
  std::thread thread_;
};

}  // namespace halftoned
