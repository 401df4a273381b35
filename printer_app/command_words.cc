// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/command_words.h"

#include <cups/cups.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstddef>
#include <string_view>

namespace halftoned {
namespace {

constexpr std::string_view kWithValue = "dhjmnotuv";
constexpr int kMostCopies = 999;

struct Option {
  char letter;
  size_t at;  // of its value in the words
};

// Options with a value. The other words are not looked at.
std::vector<Option> OptionsIn(const std::vector<std::string>& words) {
  std::vector<Option> options;
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      ++i;  // a file
    } else if (word.size() == 2 && word[0] == '-' &&
               kWithValue.find(word[1]) != kWithValue.npos) {
      options.push_back({word[1], ++i});
    }
  }
  return options;
}

bool IsValue(const std::vector<Option>& options, size_t word) {
  return std::ranges::any_of(
      options, [word](const Option& option) { return option.at == word; });
}

// PAPPL would take the letters behind the first one from the next word.
std::string FindLongOption(const std::vector<std::string>& words) {
  const std::vector<Option> options = OptionsIn(words);
  for (size_t i = 1; i < words.size(); ++i) {
    if (!IsValue(options, i) && words[i - 1] != "--" && words[i].size() > 2 &&
        words[i][0] == '-' && words[i][1] != '-') {
      return words[i];
    }
  }
  return "";
}

bool IsModify(const std::vector<std::string>& words) {
  const std::vector<Option> options = OptionsIn(words);
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "modify" && !IsValue(options, i)) return true;
  }
  return false;
}

bool IsNumber(std::string_view text, int most) {
  int number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end && number >= 1 &&
         number <= most;
}

// Options of `-o`, as PAPPL adds them up.
class NamedOptions {
 public:
  explicit NamedOptions(const std::vector<std::string>& words) {
    for (const Option& option : OptionsIn(words)) {
      if (option.letter == 'o') {
        count_ = cupsParseOptions(words[option.at].c_str(), count_, &options_);
      }
    }
  }
  ~NamedOptions() { cupsFreeOptions(count_, options_); }
  NamedOptions(const NamedOptions&) = delete;
  NamedOptions& operator=(const NamedOptions&) = delete;

  const char* Find(const char* name) const {
    return cupsGetOption(name, count_, options_);
  }

 private:
  int count_ = 0;
  cups_option_t* options_ = nullptr;
};

}  // namespace

std::string WhatForbidsCommand(const std::vector<std::string>& words) {
  const std::string long_option = FindLongOption(words);
  if (!long_option.empty()) {
    return long_option +
           ": options are single letters, each followed by a blank";
  }
  const NamedOptions named(words);
  bool names_server = named.Find("printer-uri") != nullptr;
  const bool modifies = IsModify(words);
  for (const auto& [letter, at] : OptionsIn(words)) {
    names_server |= letter == 'u';
    if (letter == 'j' && !IsNumber(words[at], INT_MAX)) {
      return "-j: must be the number of a job";
    }
    if (letter == 'n' && !IsNumber(words[at], kMostCopies)) {
      return "-n: must be a number from 1 to 999";
    }
    if (modifies && (letter == 'v' || letter == 'm')) {
      return "modify cannot change a printer's device or driver; delete the "
             "printer, and add it again";
    }
  }
  // PAPPL's commands crash on some answers, and show control characters, so
  // they connect only to servers that the user has to trust anyway.
  if (names_server) {
    return "-u: commands connect only to your own server or to the system's "
           "service";
  }
  const char* copies = named.Find("copies");
  return !copies || IsNumber(copies, kMostCopies)
             ? ""
             : "copies: must be a number from 1 to 999";
}

void NameCopies(std::vector<std::string>& words) {
  for (const Option& option : OptionsIn(words)) {
    if (option.letter != 'n') continue;
    words[option.at - 1] = "-o";
    words[option.at] = "copies=" + words[option.at];
  }
}

}  // namespace halftoned
