// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How our programs write JSON. Include it only where JSON is made: the library
// behind it compiles slowly.

#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace halftoned {

using Json = nlohmann::ordered_json;

// One line of ASCII: other characters and control characters are escaped, so
// that no name can control a terminal. Bytes that are not UTF-8 become U+FFFD.
inline std::string JsonLine(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

// `number`, rounded to a multiple of 1/parts.
inline double RoundedTo(double parts, double number) {
  return std::round(number * parts) / parts;
}

}  // namespace halftoned
