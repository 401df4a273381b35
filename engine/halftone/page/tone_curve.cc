// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/tone_curve.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"

namespace halftoned {
namespace {

struct Point {
  double input;
  double output;
};

constexpr std::string_view kBlanks = " \t\r";

// Removes the next word from `line` and returns it; empty at the end.
std::string_view NextWord(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const size_t length = std::min(line.find_first_of(kBlanks), line.size());
  const std::string_view word = line.substr(0, length);
  line.remove_prefix(length);
  return word;
}

std::optional<double> ParseLight(std::string_view word) {
  const auto light = ParseNumber<double>(word);
  return light >= 0.0 && light <= 255.0 ? light : std::nullopt;
}

// Describes the first byte that does not belong in a text of numbers, for
// messages.
std::string ForeignByteOf(std::string_view line) {
  const auto* found = std::ranges::find_if(line, [](char c) {
    return (c < ' ' || c > '~') && c != '\t' && c != '\r';
  });
  if (found == line.end()) return "";
  constexpr char kDigits[] = "0123456789ABCDEF";
  const auto byte = static_cast<uint8_t>(*found);
  std::string what = ", found the byte 0x";
  what += kDigits[byte / 16];
  what += kDigits[byte % 16];
  for (const std::string_view mark : {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"}) {
    if (line.starts_with(mark)) what += " of a byte order mark";
  }
  return what;
}

// The point of one line; nothing if the line is empty.
Result<std::optional<Point>> ParseLine(std::string_view whole) {
  std::string_view line = whole.substr(0, whole.find('#'));
  const std::string_view first = NextWord(line);
  if (first.empty()) return std::optional<Point>();
  const auto input = ParseLight(first);
  const auto output = ParseLight(NextWord(line));
  if (!input || !output || !NextWord(line).empty()) {
    return BadInput("expected two numbers from 0 to 255" +
                    ForeignByteOf(whole));
  }
  return std::optional<Point>({*input, *output});
}

Result<void> CheckOrder(const std::vector<Point>& points, const Point& next) {
  if (points.empty()) {
    if (next.input == 0 && next.output == 0) return {};
    return BadInput("the first pair must be 0 0, so that black stays solid");
  }
  if (next.input <= points.back().input) {
    return BadInput("inputs must rise from line to line");
  }
  if (next.output < points.back().output) {
    return BadInput("outputs must not fall from line to line");
  }
  if (next.input == 255 && next.output != 255) {
    return BadInput("the last pair must be 255 255, so that paper stays white");
  }
  return {};
}

Result<std::vector<Point>> ParsePoints(std::string_view text) {
  std::vector<Point> points;
  for (int line = 1; !text.empty(); ++line) {
    const size_t length = std::min(text.find('\n'), text.size());
    auto point = ParseLine(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
    const auto at_line = [line](const Error& error) {
      return BadInput("line " + std::to_string(line) + ": " + error.message);
    };
    if (!point.ok()) return at_line(point.error());
    if (!*point) continue;
    if (auto order = CheckOrder(points, **point); !order.ok()) {
      return at_line(order.error());
    }
    points.push_back(**point);
  }
  if (points.empty() || points.back().input != 255) {
    return BadInput("the last pair, 255 255, is missing");
  }
  return points;
}

}  // namespace

ToneCurve::ToneCurve() {
  for (size_t i = 0; i < table_.size(); ++i) {
    table_[i] = static_cast<uint16_t>(i);
  }
}

Result<ToneCurve> ToneCurve::FromTable(const Table& table) {
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i] > kWhite) {
      return BadInput("tone curve step " + std::to_string(i) + " is " +
                      std::to_string(table[i]) + ", above white (4080)");
    }
  }
  ToneCurve curve;
  curve.table_ = table;
  return curve;
}

Result<ToneCurve> ToneCurve::FromGamma(double gamma) {
  if (!(gamma >= 0.1 && gamma <= 10)) {
    return BadInput("gamma must be in 0.1 … 10");
  }
  ToneCurve curve;
  if (gamma == 1) return curve;  // the loop would compute the same
  for (int i = 0; i <= kWhite; ++i) {
    const double light = std::pow(static_cast<double>(i) / kWhite, 1 / gamma);
    curve.table_[i] = static_cast<uint16_t>(std::lround(light * kWhite));
  }
  return curve;
}

Result<ToneCurve> ToneCurve::Parse(std::string_view text) {
  HALFTONED_TRY_ASSIGN(const std::vector<Point> points, ParsePoints(text));
  ToneCurve curve;
  size_t next = 1;
  for (int i = 0; i <= kWhite; ++i) {
    const double input = i / 16.0;
    while (points[next].input < input) ++next;
    const Point& a = points[next - 1];
    const Point& b = points[next];
    const double output = a.output + (b.output - a.output) * (input - a.input) /
                                         (b.input - a.input);
    curve.table_[i] = static_cast<uint16_t>(std::lround(output * 16));
  }
  return curve;
}

ToneCurve ToneCurve::Then(const ToneCurve& next) const {
  ToneCurve both;
  for (size_t i = 0; i < table_.size(); ++i) {
    both.table_[i] = next.table_[table_[i]];
  }
  return both;
}

bool ToneCurve::is_identity() const { return *this == ToneCurve(); }

}  // namespace halftoned
