// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/http_head.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr std::string_view kCrLf = "\r\n";
constexpr std::string_view kLengthField = "content-length";
constexpr std::string_view kCodingField = "transfer-encoding";
// Fields that a request has at most once.
constexpr std::string_view kOnce[] = {
    "authorization", "content-encoding", kLengthField, "content-type",
    "host",          "origin",           "referer",    kCodingField};

bool IsForbidden(char c) {
  return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f;
}

// False if the line is no field, or repeats one of kOnce.
bool TakeField(std::string_view line, std::set<std::string>& names) {
  const size_t colon = line.find(':');
  if (colon == 0 || colon == line.npos) return false;
  const std::string name = LowerCase(line.substr(0, colon));
  return name.find_first_of(" \t") == name.npos &&
         (std::ranges::count(kOnce, name) == 0 || names.insert(name).second);
}

}  // namespace

size_t SizeOfHead(std::string_view bytes) {
  const size_t first = bytes.find_first_not_of(kCrLf);
  for (size_t at = bytes.find('\n', first); at != bytes.npos;
       at = bytes.find('\n', at + 1)) {
    const std::string_view rest = bytes.substr(at + 1);
    if (rest.starts_with('\n')) return at + 2;
    if (rest.starts_with(kCrLf)) return at + 3;
  }
  return 0;
}

bool IsClearHead(std::string_view head) {
  while (head.starts_with(kCrLf)) head.remove_prefix(kCrLf.size());
  std::set<std::string> names;
  for (bool is_first = true;; is_first = false) {
    const size_t end = head.find(kCrLf);
    if (end == head.npos) return false;
    const std::string_view line = head.substr(0, end);
    if (line.empty()) break;
    if (std::ranges::any_of(line, IsForbidden)) return false;
    if (!is_first && !TakeField(line, names)) return false;
    head.remove_prefix(end + kCrLf.size());
  }
  return !names.contains(std::string(kLengthField)) ||
         !names.contains(std::string(kCodingField));
}

bool HasCookies(std::string_view head) {
  return LowerCase(head).find("\r\ncookie:") != std::string::npos;
}

}  // namespace halftoned
