// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/state_line.h"

#include <cstdlib>

namespace halftoned {

StateLine::StateLine(const std::string& text)
    : count_(cupsParseOptions(text.c_str(), 0, &options_)) {}

const char* StateLine::Find(const char* name) const {
  return cupsGetOption(name, count_, options_);
}

int StateLine::Number(const char* name) const {
  const char* value = Find(name);
  return value ? std::atoi(value) : 0;
}

void StateLine::Set(const char* name, const std::string& value) {
  count_ = cupsAddOption(name, value.c_str(), count_, &options_);
}

std::string StateLine::Text() const {
  std::string text;
  for (int i = 0; i < count_; ++i) {
    text += std::string(" ") + options_[i].name + "=\"";
    for (const char* c = options_[i].value; *c; ++c) {
      if (*c == '\\' || *c == '"') text += '\\';
      text += *c == '\n' || *c == '\r' ? ' ' : *c;
    }
    text += '"';
  }
  return text;
}

}  // namespace halftoned
