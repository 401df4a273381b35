// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods: the halftoning algorithms that this build knows. One table
// (method_rows.inc) contains everything that the program needs to know about
// each. Each engine has its own table, indexed by method, and supports a method
// only if it has an entry for it.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"

namespace halftoned {

enum class Algorithm : uint16_t {
#define HALFTONED_METHOD(Name, number, ...) k##Name = number,
#include "halftone/page/method_rows.inc"
#undef HALFTONED_METHOD
};

// The index of engines' tables. Each version of an algorithm is a method of its
// own.
struct MethodId {
  Algorithm algorithm;
  uint16_t version;

  friend bool operator==(const MethodId&, const MethodId&) = default;
};

// One row of a carry: a 16-bit state per column, with the range of the plane's
// values. Outside the page, and above its first row, the state is `start`.
struct CarryPlane {
  int16_t min;
  int16_t max;
  int16_t start;
};

// How far answers lag behind the submitted rows, for a method that looks ahead:
// once the rows above `s` have been submitted, those above the last multiple of
// `step` that is at most `s - rows` are answered. A page can be taken over only
// at such rows and at its start.
struct Lag {
  int32_t rows = 0;
  int32_t step = 1;
};

struct Method {
  static constexpr size_t kParameters = 8;
  static constexpr size_t kMaxPlanes = 8;

  struct Range {
    int32_t min = 0;
    int32_t max = 0;  // 0: there is no such parameter
  };
  using Values = std::array<int32_t, kParameters>;

  MethodId id;
  std::string_view name;      // for people and their options
  bool is_in_dialogs = true;  // print dialogs offer it
  bool has_levels = false;    // also 4, 8 and 16; otherwise only 2
  std::array<Range, kParameters> parameters;
  // Checks parameters beyond their ranges; null: there is nothing to check.
  Result<void> (*check)(const Values& parameters, int levels) = nullptr;
  size_t plane_count = 0;
  std::array<CarryPlane, kMaxPlanes> planes = {};
  // The first plane contains errors; their bounds follow from the number of
  // levels.
  bool carries_errors = false;
  Lag lag = {};  // none: a band is answered with its own rows
};

// The methods of this build, in the order in which users see them. Its file has
// no other function, so that a test program can be linked with one more method.
std::span<const Method> Methods();

// The methods that are shipped.
std::span<const Method> ShippedMethods();

// Null if this build does not know it.
const Method* FindMethod(Algorithm algorithm);
const Method* FindMethod(std::string_view name);

// Whether this method can give black and white runs at least this length; the
// error names the methods that can.
Result<void> CheckMinRun(const Method& method, int32_t pixels);

// The entry of an engine's table for `method`, or null: entries have a member
// `method`.
template <typename Entry>
constexpr const Entry* FindEntry(std::span<const Entry> table,
                                 MethodId method) {
  for (const Entry& entry : table) {
    if (entry.method == method) return &entry;
  }
  return nullptr;
}

}  // namespace halftoned
