// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the engine uses of C++20's library and libc++ lacks: algorithms on
// ranges (in libc++ 13, of Debian 12's emscripten), and numbers with fractions
// in <charconv> (before libc++ 20). Every source is compiled with it.

#pragma once

#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

namespace std {  // NOLINT

#if _LIBCPP_VERSION < 16000
namespace ranges {

template <class Range>
using IteratorOf = decltype(std::begin(std::declval<Range&>()));

template <class Range, class Output>
constexpr void copy(Range&& from, Output to) {
  std::copy(std::begin(from), std::end(from), to);
}

template <class Range, class Value>
constexpr void fill(Range&& range, const Value& value) {
  std::fill(std::begin(range), std::end(range), value);
}

template <class Range>
constexpr void reverse(Range&& range) {
  std::reverse(std::begin(range), std::end(range));
}

template <class Range, class Output, class Function>
constexpr void transform(Range&& from, Output to, Function function) {
  std::transform(std::begin(from), std::end(from), to, function);
}

template <class Range, class Wanted, class Projection = std::identity>
constexpr IteratorOf<Range> find_if(Range&& range, Wanted wanted,
                                    Projection projection = {}) {
  return std::find_if(
      std::begin(range), std::end(range), [&](const auto& each) {
        return std::invoke(wanted, std::invoke(projection, each));
      });
}

template <class Range, class Value, class Projection = std::identity>
constexpr IteratorOf<Range> find(Range&& range, const Value& value,
                                 Projection projection = {}) {
  return ranges::find_if(
      range, [&](const auto& each) { return each == value; }, projection);
}

template <class Range, class Wanted, class Projection = std::identity>
constexpr bool any_of(Range&& range, Wanted wanted,
                      Projection projection = {}) {
  return ranges::find_if(range, wanted, projection) != std::end(range);
}

template <class Range, class Wanted, class Projection = std::identity>
constexpr bool all_of(Range&& range, Wanted wanted,
                      Projection projection = {}) {
  return !ranges::any_of(
      range, [&](const auto& each) { return !std::invoke(wanted, each); },
      projection);
}

template <class Range, class Wanted, class Projection = std::identity>
constexpr bool none_of(Range&& range, Wanted wanted,
                       Projection projection = {}) {
  return !ranges::any_of(range, wanted, projection);
}

template <class Range, class Wanted>
constexpr auto count_if(Range&& range, Wanted wanted) {
  return std::count_if(std::begin(range), std::end(range), wanted);
}

template <class Range, class Other, class Same>
constexpr bool equal(Range&& range, Other&& other, Same same) {
  return std::equal(std::begin(range), std::end(range), std::begin(other),
                    std::end(other), [&](const auto& one, const auto& two) {
                      return std::invoke(same, one, two);
                    });
}

template <class Range>
constexpr bool is_sorted(Range&& range) {
  return std::is_sorted(std::begin(range), std::end(range));
}

// `less` on what `projection` makes of two elements.
template <class Less, class Projection>
constexpr auto Projected(Less less, Projection projection) {
  return [=](const auto& one, const auto& other) {
    return std::invoke(less, std::invoke(projection, one),
                       std::invoke(projection, other));
  };
}

template <class Range, class Less = std::less<>,
          class Projection = std::identity>
constexpr void sort(Range&& range, Less less = {}, Projection projection = {}) {
  std::sort(std::begin(range), std::end(range),
            ranges::Projected(less, projection));
}

template <class Range, class Less = std::less<>,
          class Projection = std::identity>
constexpr void stable_sort(Range&& range, Less less = {},
                           Projection projection = {}) {
  std::stable_sort(std::begin(range), std::end(range),
                   ranges::Projected(less, projection));
}

template <class Range, class Iterator>
constexpr void nth_element(Range&& range, Iterator nth) {
  std::nth_element(std::begin(range), nth, std::end(range));
}

template <class Range, class Less = std::less<>,
          class Projection = std::identity>
constexpr IteratorOf<Range> max_element(Range&& range, Less less = {},
                                        Projection projection = {}) {
  return std::max_element(std::begin(range), std::end(range),
                          ranges::Projected(less, projection));
}

template <class Range, class Less = std::less<>,
          class Projection = std::identity>
constexpr IteratorOf<Range> min_element(Range&& range, Less less = {},
                                        Projection projection = {}) {
  return std::min_element(std::begin(range), std::end(range),
                          ranges::Projected(less, projection));
}

}  // namespace ranges
#endif

// Without the names of infinity and NaN, which no caller accepts.
inline from_chars_result from_chars(const char* first, const char* last,
                                    double& value,
                                    chars_format form = chars_format::general) {
  const char* end = first;
  bool has_digits = false;
  const auto take_digits = [&] {
    bool has_any = false;
    for (; end != last && *end >= '0' && *end <= '9'; ++end) has_any = true;
    return has_any;
  };
  if (end != last && *end == '-') ++end;
  has_digits = take_digits();
  if (end != last && *end == '.') {
    ++end;
    has_digits |= take_digits();
  }
  if (!has_digits) return {first, errc::invalid_argument};
  if (form != chars_format::fixed && end != last &&
      (*end == 'e' || *end == 'E')) {
    const char* const mantissa_end = end++;
    if (end != last && (*end == '-' || *end == '+')) ++end;
    if (!take_digits()) end = mantissa_end;
  }
  value = strtod(string(first, end).c_str(), nullptr);
  return {end, errc()};
}

#if _LIBCPP_VERSION < 14000
// The shortest that is read as the same number, without an exponent if that is
// no longer.
inline to_chars_result to_chars(char* first, char* last, double value) {
  const auto size = static_cast<size_t>(last - first);
  string shortest;
  for (int digits = 1; digits <= 17; ++digits) {
    char text[32];
    snprintf(text, sizeof(text), "%.*g", digits, value);
    if (strtod(text, nullptr) != value) continue;
    const string_view found = text;
    if (shortest.empty() || found.size() <= shortest.size()) shortest = found;
  }
  if (shortest.size() > size) return {last, errc::value_too_large};
  return {copy(shortest.begin(), shortest.end(), first), errc()};
}
#endif

#if _LIBCPP_VERSION < 16000
// For arrays, as the engine uses it.
template <class Array>
unique_ptr<Array> make_unique_for_overwrite(size_t size) {
  return unique_ptr<Array>(new remove_extent_t<Array>[size]);
}
#endif

}  // namespace std

#endif
