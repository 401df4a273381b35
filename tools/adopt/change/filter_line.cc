// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/change/filter_line.h"

#include <strings.h>

#include <algorithm>
#include <cctype>

#include "adopt/ppd/statements.h"

namespace halftoned {
namespace {

// The type of a driver's output, since cupsd needs a name. The name must not
// contain pwg, urf or pdf, which renderers look for.
constexpr char kPrinted[] = "application/x-halftoned-printed";

std::string TakeWord(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(kPpdBlanks), rest.size()));
  const size_t end = std::min(rest.find_first_of(kPpdBlanks), rest.size());
  const std::string word(rest.substr(0, end));
  rest.remove_prefix(end);
  return word;
}

bool Is(const std::string& type, const char* known) {
  return ::strcasecmp(type.c_str(), known) == 0;
}

bool IsType(const std::string& word) {
  const size_t slash = word.find('/');
  return slash != std::string::npos && slash > 0 && slash + 1 < word.size();
}

bool IsNumber(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c));
  });
}

}  // namespace

Result<FilterLine> FilterLine::Parse(std::string_view value,
                                     bool has_destination) {
  FilterLine line;
  std::string_view rest = value;
  line.source = TakeWord(rest);
  if (has_destination) line.destination = TakeWord(rest);
  line.cost = TakeWord(rest);
  rest.remove_prefix(std::min(rest.find_first_not_of(kPpdBlanks), rest.size()));
  line.program = rest;
  const bool is_sound = IsType(line.source) &&
                        (!has_destination || IsType(line.destination)) &&
                        IsNumber(line.cost) && !line.program.empty();
  if (!is_sound) {
    return BadInput(std::string(has_destination ? "invalid *cupsFilter2 '"
                                                : "invalid *cupsFilter '") +
                    std::string(value) + "': expected " +
                    (has_destination ? "two MIME types" : "a MIME type") +
                    ", a cost and a program");
  }
  return line;
}

bool FilterLine::is_for_raster() const { return Is(source, kCupsRaster); }

bool FilterLine::is_for_commands() const { return Is(source, kCupsCommand); }

bool FilterLine::is_for_pwg_printer() const {
  return is_without_driver() && Is(source, kPwgRaster);
}

bool FilterLine::is_for_ghostscript() const {
  return program == kFoomaticRip && !is_for_raster() && !is_for_commands();
}

bool FilterLine::names_program(std::string_view name) const {
  const std::string_view all = program;
  return all.substr(all.find_last_of(" \t/)") + 1) == name;
}

std::string FilterLine::Adopted() const {
  if (is_for_ghostscript()) {
    return source + " " + (destination.empty() ? "" : destination + " ") +
           cost + " " + kHalftoneRip;
  }
  if (is_for_pwg_printer()) {
    return std::string(kCupsRaster) + " " + kPwgRaster + " " + cost + " " +
           kOurFilter;
  }
  if (is_without_driver()) return "";
  return (is_for_raster() ? kHalftonedRaster : source) + " " +
         (destination.empty() ? kPrinted : destination) + " " + cost + " " +
         program;
}

}  // namespace halftoned
