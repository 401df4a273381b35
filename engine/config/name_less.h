// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which CUPS compares names of queues and options: ignoring the
// case of ASCII letters.

#pragma once

#include <algorithm>
#include <string_view>

namespace halftoned {

struct NameLess {
  using is_transparent = void;

  bool operator()(std::string_view a, std::string_view b) const {
    return std::ranges::lexicographical_compare(a, b, {}, Lower, Lower);
  }

 private:
  static unsigned char Lower(char c) {
    return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
};

}  // namespace halftoned
