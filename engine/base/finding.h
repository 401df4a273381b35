// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `halftone check` finds: one line each, and what to type. The program
// behind `halftone adopt` sends its findings about queues as lines of text:
//
//   finding = ( "good" | "advice" | "unseen" | "wrong" ) TAB what TAB mend LF

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halftoned {

enum class FindingKind {
  kGood,
  kAdvice,  // works, but could be better
  kUnseen,  // this user is not allowed to look
  kWrong,
};

struct Finding {
  FindingKind kind = FindingKind::kGood;
  std::string what;  // a sentence without a full stop
  std::string mend;  // what to do: "type: …"; may be empty

  friend bool operator==(const Finding&, const Finding&) = default;
};

using Findings = std::vector<Finding>;

inline Finding Good(std::string what) {
  return {FindingKind::kGood, std::move(what), ""};
}
inline Finding Advice(std::string what, std::string mend) {
  return {FindingKind::kAdvice, std::move(what), std::move(mend)};
}
inline Finding Unseen(std::string what) {
  return {FindingKind::kUnseen, std::move(what), ""};
}
inline Finding Wrong(std::string what, std::string mend) {
  return {FindingKind::kWrong, std::move(what), std::move(mend)};
}

// The finding as a line of this format.
std::string LineOf(const Finding& finding);
// Nothing if the line, without its end, is not a finding.
std::optional<Finding> FindingIn(std::string_view line);

// "good", "advice", "unseen" or "wrong".
std::string_view NameOf(FindingKind kind);

// For people.
std::string TextOf(const Finding& finding);

}  // namespace halftoned
