// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/toml_text.h"

#include <algorithm>

#include "base/text.h"

namespace halftoned {
namespace {

// The first line that begins the table `name`; 0 if there is none.
int LineOfTable(std::string_view text, std::string_view name) {
  const std::string header = std::string("[").append(name).append("]");
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::string plain;
    for (const char c : line) {
      if (c == ' ' || c == '\t' || c == '"' || c == '\'') continue;
      plain += c;
      if (c == ']') break;
    }
    if (plain == header) return number;
  }
  return 0;
}

}  // namespace

std::string LiftedToml(std::string_view text) {
  std::string lifted;
  lifted.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      lifted += c;
    } else {
      lifted.append("\xee").append(byte < 0xc0 ? "\x82" : "\x83");
      lifted += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return lifted;
}

std::string LoweredToml(std::string_view lifted) {
  std::string text;
  for (size_t i = 0; i < lifted.size(); ++i) {
    const std::string_view begin = lifted.substr(i, 2);
    const bool is_high = begin == "\xee\x83";
    if (i + 2 < lifted.size() && (is_high || begin == "\xee\x82")) {
      i += 2;
      text += static_cast<char>(lifted[i] | (is_high ? 0x40 : 0));
    } else {
      text += lifted[i];
    }
  }
  return text;
}

int LineThatIsNotUtf8(std::string_view text) {
  int line = 1;
  while (!text.empty()) {
    const size_t bytes = Utf8Bytes(text);
    if (bytes == 0) return line;
    line += text.front() == '\n';
    text.remove_prefix(bytes);
  }
  return 0;
}

std::string ExplainToml(std::string_view description, std::string_view text) {
  const std::string said = LoweredToml(description);
  const size_t again = said.find("cannot redefine existing ");
  const size_t begin = said.find('\'', again);
  const size_t end = said.rfind('\'');
  if (again != said.npos && begin < end) {
    const std::string name = said.substr(begin + 1, end - begin - 1);
    if (!said.substr(again).starts_with("cannot redefine existing table '")) {
      return "'" + name + "' is set twice";
    }
    const int first = LineOfTable(text, name);
    return "[" + name + "] appears twice" +
           (first > 0 ? ", first in line " + std::to_string(first) : "") +
           "; merge both into one table";
  }
  if (said != description) {
    return "letters beyond ASCII must be in quotes or in a comment";
  }
  for (const std::string_view kind : {"value", "boolean", "floating-point"}) {
    if (said.starts_with("Error while parsing " + std::string(kind) + ":")) {
      return said + "; texts are in quotes, numbers are not";
    }
  }
  return said;
}

}  // namespace halftoned
