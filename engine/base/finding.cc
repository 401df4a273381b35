// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/finding.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace halftoned {
namespace {

// In the order of FindingKind.
constexpr std::string_view kNames[] = {"good", "advice", "unseen", "wrong"};

}  // namespace

std::string_view NameOf(FindingKind kind) {
  return kNames[static_cast<size_t>(kind)];
}

std::string LineOf(const Finding& finding) {
  // Printable removes tabs and ends of lines.
  return std::string(NameOf(finding.kind)) + "\t" + Printable(finding.what) +
         "\t" + Printable(finding.mend) + "\n";
}

std::optional<Finding> FindingIn(std::string_view line) {
  const size_t first = line.find('\t');
  if (first == line.npos) return std::nullopt;
  const size_t second = line.find('\t', first + 1);
  if (second == line.npos) return std::nullopt;
  const auto* name = std::ranges::find(kNames, line.substr(0, first));
  if (name == std::end(kNames)) return std::nullopt;
  return Finding{static_cast<FindingKind>(name - std::begin(kNames)),
                 std::string(line.substr(first + 1, second - first - 1)),
                 std::string(line.substr(second + 1))};
}

std::string TextOf(const Finding& finding) {
  std::string text(NameOf(finding.kind));
  text.append(": ").append(Printable(finding.what));
  if (!finding.mend.empty()) text.append("; ").append(Printable(finding.mend));
  return text;
}

}  // namespace halftoned
