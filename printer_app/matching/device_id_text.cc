// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/matching/device_id_text.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"

namespace halftoned {
namespace {

// In an ID that is too long. Three such values fit.
constexpr size_t kMostOfValue = 150;

constexpr std::string_view kMatched[] = {
    "cmd", "command set", "manufacturer", "mdl", "mfg", "mfr", "model"};

bool IsMatched(std::string_view name) {
  return std::ranges::count(kMatched, LowerCase(name)) > 0;
}

// Names and values, as papplDeviceParseID finds them.
std::vector<std::pair<std::string_view, std::string_view>> PairsOf(
    std::string_view id) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  while (true) {
    id.remove_prefix(std::min(id.find_first_not_of(kSpace), id.size()));
    const size_t colon = id.find(':');
    if (colon == id.npos) return pairs;
    const size_t end = std::min(id.find(';', colon), id.size());
    pairs.emplace_back(id.substr(0, colon),
                       id.substr(colon + 1, end - colon - 1));
    id.remove_prefix(std::min(end + 1, id.size()));
  }
}

bool IsSearched(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') ||
         std::string_view(" #&'(),-./_").find(c) != std::string_view::npos;
}

}  // namespace

std::string CleanDeviceId(std::string_view id, size_t most) {
  std::string clean = Printable(id);
  std::ranges::replace_if(
      clean, [](char c) { return c == '"' || c == '\\'; }, ' ');
  if (clean.size() <= most) return clean;
  std::string begin;
  for (const bool is_matched : {true, false}) {
    for (const auto& [name, value] : PairsOf(clean)) {
      if (IsMatched(name) != is_matched) continue;
      const std::string pair =
          std::string(name) + ':' + Printable(value, kMostOfValue) + ';';
      if (pair.size() <= most - begin.size()) begin += pair;
    }
  }
  return begin;
}

std::string SearchedDeviceId(std::string_view id) {
  std::string searched;
  std::set<std::string> names;
  for (const auto& [name, value] : PairsOf(id)) {
    if (!IsMatched(name) || !names.insert(LowerCase(name)).second) continue;
    searched.append(name).append(":");
    std::ranges::copy_if(value, std::back_inserter(searched), IsSearched);
    searched += ';';
  }
  return searched;
}

}  // namespace halftoned
