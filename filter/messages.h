// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a filter says to cupsd, a line a time, on stderr:
//
//   line     = severity ": " text | "PAGE: " number " " copies
//            | "ATTR: job-media-progress=" percent
//            | "STATE: " ( "+" | "-" ) keyword
//   severity = "DEBUG" | "INFO" | "WARNING" | "ERROR"
//
// A text is one printable line of UTF-8 whatever is put into it. Lines wait for
// room in the pipe, but not once the job is stopping: then they are dropped.

#ifndef HALFTONED_FILTER_MESSAGES_H_
#define HALFTONED_FILTER_MESSAGES_H_

#include <cstdint>
#include <string_view>

#include "filter/stop.h"

namespace halftoned {

class Messages {
 public:
  // `fd` and `stop`, where there is one, outlive it.
  explicit Messages(int fd, const Stop* stop = nullptr)
      : fd_(fd), stop_(stop) {}

  void Debug(std::string_view text) { Say("DEBUG", text); }
  void Warning(std::string_view text) { Say("WARNING", text); }
  void Error(std::string_view text) { Say("ERROR", text); }

  // A page goes to the printer, in so many copies: what CUPS accounts.
  void Page(int64_t number, uint32_t copies);

  // Percent of the page under way: 0 … 100.
  void Progress(int percent);

  // The printer has, or no longer has, this reason for its state.
  void Reason(std::string_view keyword, bool holds);

 private:
  void Say(std::string_view severity, std::string_view text);
  // False if the line is not to be written.
  bool WaitForRoom() const;

  int fd_;
  const Stop* stop_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_MESSAGES_H_
