// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/ppd/statements.h"

#include <algorithm>
#include <cstddef>

namespace halftoned {
namespace {

size_t EndOfLine(std::string_view ppd, size_t at) {
  return std::min(ppd.find_first_of("\r\n", at), ppd.size());
}

std::string_view EolAt(std::string_view ppd, size_t at) {
  return ppd.substr(at, ppd.substr(at).starts_with("\r\n") ? 2 : 1);
}

std::string_view WithoutBlanks(std::string_view text) {
  const size_t first = text.find_first_not_of(kPpdBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kPpdBlanks) - first + 1);
}

// Parses the statement that starts with the line `text`; a quoted value may
// span more lines. Returns its end.
size_t ReadKeyword(std::string_view ppd, size_t at, size_t end,
                   Statement& statement) {
  const std::string_view line = ppd.substr(at, end - at);
  const size_t colon = line.find(':');
  if (!line.starts_with('*') || line.starts_with("*%") ||
      colon == std::string_view::npos) {
    return end;
  }
  const std::string_view name = line.substr(1, colon - 1);
  statement.keyword = name.substr(0, name.find_first_of(kPpdBlanks));
  const size_t quote = line.find_first_not_of(kPpdBlanks, colon + 1);
  if (quote == std::string_view::npos) return end;
  if (line[quote] != '"') {
    statement.value = WithoutBlanks(line.substr(quote));
    return end;
  }
  const size_t begin = at + quote + 1;
  const size_t close = std::min(ppd.find('"', begin), ppd.size());
  statement.value = ppd.substr(begin, close - begin);
  return EndOfLine(ppd, close);
}

}  // namespace

std::vector<Statement> SplitStatements(std::string_view ppd) {
  std::vector<Statement> statements;
  for (size_t at = 0; at < ppd.size();) {
    Statement statement;
    const size_t end = ReadKeyword(ppd, at, EndOfLine(ppd, at), statement);
    statement.text = ppd.substr(at, end - at);
    if (end < ppd.size()) statement.eol = EolAt(ppd, end);
    at = end + statement.eol.size();
    statements.push_back(statement);
  }
  return statements;
}

}  // namespace halftoned
