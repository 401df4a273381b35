// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of a line of PAPPL's state:
//   options = *(" " name "=" DQUOTE value DQUOTE)
// with a backslash before each quote and backslash of a value.

#pragma once

#include <cups/cups.h>

#include <string>

namespace halftoned {

class StateLine {
 public:
  StateLine() = default;
  explicit StateLine(const std::string& text);
  ~StateLine() { cupsFreeOptions(count_, options_); }
  StateLine(const StateLine&) = delete;
  StateLine& operator=(const StateLine&) = delete;

  // Null if it has none of the name.
  const char* Find(const char* name) const;
  // 0 if it has none.
  int Number(const char* name) const;
  void Set(const char* name, const std::string& value);
  void Set(const char* name, int value) { Set(name, std::to_string(value)); }
  // In one line, whatever the values are.
  std::string Text() const;

 private:
  cups_option_t* options_ = nullptr;
  int count_ = 0;
};

}  // namespace halftoned
