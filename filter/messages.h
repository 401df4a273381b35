// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter's messages to cupsd: single lines on stderr.
//
//   line     = severity ": " text | "PAGE: " number " " copies
//            | "ATTR: job-media-progress=" percent
//            | "STATE: " ( "+" | "-" ) keyword
//   severity = "DEBUG" | "INFO" | "WARNING" | "ERROR"
//
// Texts are cleaned to one printable line of UTF-8. A line waits for room in
// the pipe; once the job is stopping it is dropped instead.

#pragma once

#include <cstdint>
#include <string_view>

#include "print/process/stop.h"

namespace halftoned {

class Messages {
 public:
  // `fd` and `stop`, if there is one, outlive it.
  explicit Messages(int fd, const Stop* stop = nullptr)
      : fd_(fd), stop_(stop) {}

  void Debug(std::string_view text) { Say("DEBUG", text); }
  void Info(std::string_view text) { Say("INFO", text); }
  void Warning(std::string_view text) { Say("WARNING", text); }
  void Error(std::string_view text) { Say("ERROR", text); }

  // A page goes to the printer, in `copies` copies: CUPS accounts for it.
  void Page(int64_t number, uint32_t copies);

  // Percent of the current page: 0 … 100.
  void Progress(int percent);

  // Adds or removes a reason for the printer's state.
  void Reason(std::string_view keyword, bool holds);

 private:
  void Say(std::string_view severity, std::string_view text);
  // False if the line must be dropped.
  bool WaitForRoom() const;

  int fd_;
  const Stop* stop_;
};

}  // namespace halftoned
