// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/ppd/ppd_names.h"

#include <strings.h>

namespace halftoned {
namespace {

struct PaperType {
  std::string_view start;
  std::string_view name;
};
// As CUPS calls them, by how the choice begins, in any case.
constexpr PaperType kPaperTypes[] = {{"Any", "auto"},
                                     {"Auto", "auto"},
                                     {"Card", "cardstock"},
                                     {"Env", "envelope"},
                                     {"Gloss", "photographic-glossy"},
                                     {"HighGloss", "photographic-high-gloss"},
                                     {"Matte", "photographic-matte"},
                                     {"Plain", "stationery"},
                                     {"Coated", "stationery-coated"},
                                     {"Inkjet", "stationery-inkjet"},
                                     {"Letterhead", "stationery-letterhead"},
                                     {"Preprint", "stationery-preprinted"},
                                     {"Recycled", "stationery-recycled"},
                                     {"Transparen", "transparency"}};

bool BeginsWith(std::string_view choice, std::string_view start) {
  return choice.size() >= start.size() &&
         !::strncasecmp(choice.data(), start.data(), start.size());
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsSmall(char c) { return c >= 'a' && c <= 'z'; }
bool IsCapital(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

std::string IppKeyword(std::string_view choice) {
  std::string keyword;
  for (char c : choice) {
    if (IsDigit(c) && !keyword.empty() && IsSmall(keyword.back())) {
      keyword += '-';
    }
    if (IsCapital(c)) c = static_cast<char>(c - 'A' + 'a');
    keyword += IsDigit(c) || IsSmall(c) ? c : '-';
  }
  return keyword;
}

std::string IppPaperType(std::string_view choice) {
  for (const PaperType& each : kPaperTypes) {
    if (BeginsWith(choice, each.start)) return std::string(each.name);
  }
  return IppKeyword(choice);
}

std::string IppSameName(std::string_view choice) {
  std::string name(choice);
  for (char& c : name) {
    if (!IsDigit(c) && !IsSmall(c) && !IsCapital(c) && c != '.' && c != '_') {
      c = '-';
    }
  }
  return name;
}

}  // namespace halftoned
