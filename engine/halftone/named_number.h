// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that people set by name, with their ranges: job options, keys of the
// configuration and options of programs are all made from tables of these.

#ifndef HALFTONED_HALFTONE_NAMED_NUMBER_H_
#define HALFTONED_HALFTONE_NAMED_NUMBER_H_

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "base/result.h"

namespace halftoned {

// A member of `Owner`.
template <typename Owner>
struct NamedNumber {
  std::string_view name;
  double Owner::*member;
  double least;
  double most;
  bool is_whole = false;  // takes no fractions

  bool Takes(double value) const {
    return value >= least && value <= most &&
           (!is_whole || value == std::floor(value));
  }

  // "a number in 0.1 … 10", for messages.
  std::string Range() const {
    return std::string(is_whole ? "a whole" : "a") + " number in " +
           Text(least) + " … " + Text(most);
  }

  // As short as it can be.
  static std::string Text(double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof(text), value);
    return {text, end};
  }
};

// Whether all numbers of `owner` are in their ranges.
template <typename Numbers, typename Owner>
Result<void> CheckNumbers(const Numbers& numbers, const Owner& owner) {
  for (const NamedNumber<Owner>& number : numbers) {
    if (!number.Takes(owner.*number.member)) {
      return BadInput(std::string(number.name) + " is not " + number.Range());
    }
  }
  return {};
}

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_NAMED_NUMBER_H_
