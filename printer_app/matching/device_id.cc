// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/matching/device_id.h"

#include <pappl/pappl.h>

#include <algorithm>

namespace halftoned {
namespace {

// Collapses blanks, and removes them at both ends.
std::string InCapitals(std::string_view text) {
  std::string capitals;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t';
    if (is_blank && (capitals.empty() || capitals.back() == ' ')) continue;
    const bool is_small = c >= 'a' && c <= 'z';
    capitals += is_blank   ? ' '
                : is_small ? static_cast<char>(c - 'a' + 'A')
                           : c;
  }
  if (capitals.ends_with(' ')) capitals.pop_back();
  return capitals;
}

struct MakerName {
  std::string_view name;
  std::string_view usual;
};

constexpr MakerName kMakerNames[] = {
    {"HEWLETT-PACKARD", "HP"},
    {"HEWLETT PACKARD", "HP"},
    {"KYOCERA MITA", "KYOCERA"},
    {"LEXMARK INTERNATIONAL", "LEXMARK"},
    {"OKI DATA CORP", "OKI"},
    {"OKIDATA", "OKI"},
    {"SAMSUNG ELECTRONICS CO., LTD.", "SAMSUNG"},
    {"ZEBRA TECHNOLOGIES", "ZEBRA"},
};

bool BeginsWithWord(std::string_view text, std::string_view word) {
  return text.starts_with(word) &&
         (text.size() == word.size() || text[word.size()] == ' ');
}

// Replaces the maker's name at the start of `text` by the usual one.
std::string WithUsualMaker(std::string text) {
  for (const MakerName& each : kMakerNames) {
    if (!BeginsWithWord(text, each.name)) continue;
    return text.replace(0, each.name.size(), each.usual);
  }
  return text;
}

std::string WithoutSeries(std::string text) {
  constexpr std::string_view kSeries = " SERIES";
  if (text.ends_with(kSeries)) text.resize(text.size() - kSeries.size());
  return text;
}

}  // namespace

DeviceId DeviceId::Parse(const char* text) {
  DeviceId id;
  if (!text) return id;
  cups_option_t* pairs = nullptr;
  const int count = papplDeviceParseID(text, &pairs);
  const auto value_of = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (const char* value = cupsGetOption(name, count, pairs)) {
        return InCapitals(value);
      }
    }
    return std::string();
  };
  id.commands = value_of({"COMMAND SET", "CMD"});
  id.model = value_of({"MODEL", "MDL"});
  id.maker = value_of({"MANUFACTURER", "MFG", "MFR"});
  cupsFreeOptions(count, pairs);
  return id;
}

std::string DeviceId::Key() const {
  const std::string usual = WithUsualMaker(maker);
  std::string of_model = WithUsualMaker(model);
  if (BeginsWithWord(of_model, usual)) {
    of_model.erase(0, std::min(usual.size() + 1, of_model.size()));
  }
  return WithoutSeries(usual + ' ' + of_model);
}

std::string DeviceId::KeyOf(std::string_view make_and_model) {
  return WithoutSeries(WithUsualMaker(
      InCapitals(make_and_model.substr(0, make_and_model.find(',')))));
}

}  // namespace halftoned
