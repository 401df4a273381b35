// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server's log. Lines have PAPPL's form, and go where it logs.

#pragma once

#include <string>
#include <utility>

namespace halftoned {

class FrontLog {
 public:
  enum Level { kDebug, kInfo, kWarn, kError, kFatal };

  // file: a path, - for stderr, or syslog; empty: no log.
  FrontLog(std::string file, Level level)
      : file_(std::move(file)), level_(level) {}

  void Write(Level level, const std::string& text) const;

 private:
  const std::string file_;
  const Level level_;
};

}  // namespace halftoned
