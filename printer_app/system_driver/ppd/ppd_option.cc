// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/ppd/ppd_option.h"

#include <strings.h>

#include <algorithm>
#include <span>

#include "halftone/look/settings.h"

// CUPS has deprecated PPD files, but its drivers have nothing else.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

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

// "Tray1" is tray-1.
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

// "Plain" is stationery.
std::string IppPaperType(std::string_view choice) {
  for (const PaperType& each : kPaperTypes) {
    if (BeginsWith(choice, each.start)) return std::string(each.name);
  }
  return IppKeyword(choice);
}

// As it is in the file, without characters that keywords do not have.
std::string IppSameName(std::string_view choice) {
  std::string name(choice);
  for (char& c : name) {
    if (!IsDigit(c) && !IsSmall(c) && !IsCapital(c) && c != '.' && c != '_') {
      c = '-';
    }
  }
  return name;
}

// PAPPL's room.
constexpr size_t kMaxTrays = 16;
constexpr size_t kMaxTypes = 32;
constexpr size_t kMaxBins = 16;

// They are attributes of IPP, or have no say: what comes is black.
constexpr std::string_view kOtherwise[] = {
    "PageSize",  "PageRegion", "Resolution", "InputSlot", "MediaType",
    "OutputBin", "Duplex",     "JCLDuplex",  "ColorModel"};

using NameFunction = std::string(std::string_view);

PpdOption Read(const ppd_option_t& from, NameFunction* name_of, size_t room) {
  PpdOption option{.keyword = from.keyword, .text = from.text};
  for (const ppd_choice_t& each : std::span(
           from.choices, static_cast<size_t>(std::max(from.num_choices, 0)))) {
    std::string name = name_of(each.choice);
    if (option.Find(name)) name = IppKeyword(each.choice);
    const bool is_usual = std::string_view(each.choice) == from.defchoice;
    if (std::string_view(each.choice) == "Custom") continue;
    if (is_usual) option.usual = name;
    const auto same = std::ranges::find(option.choices, name, &PpdChoice::name);
    if (same != option.choices.end()) {
      // The default stands for all of its name.
      if (is_usual) *same = {name, each.choice, each.text};
    } else if (option.choices.size() < room) {
      option.choices.push_back({name, each.choice, each.text});
    }
  }
  if (option.Find(option.usual) == nullptr && !option.empty()) {
    option.usual = option.choices.front().name;
  }
  return option;
}

PpdOption ReadWithDefaultFirst(ppd_file_t* ppd, const char* keyword,
                               NameFunction* name_of, size_t room) {
  const ppd_option_t* found = ppdFindOption(ppd, keyword);
  if (!found) return {};
  PpdOption option = Read(*found, name_of, room);
  const auto usual =
      std::ranges::find(option.choices, option.usual, &PpdChoice::name);
  if (usual != option.choices.end()) {
    std::rotate(option.choices.begin(), usual, usual + 1);
  }
  return option;
}

bool IsOurs(std::string_view keyword) {
  return std::ranges::find(kPrintSettings, keyword, &PrintSetting::keyword) !=
         std::end(kPrintSettings);
}

void AddGroup(const ppd_group_t& group, std::vector<PpdOption>& options) {
  for (const ppd_option_t& each :
       std::span(group.options, static_cast<size_t>(group.num_options))) {
    const std::string_view keyword = each.keyword;
    if (each.ui == PPD_UI_PICKMANY || IsOurs(keyword) ||
        IppSameName(keyword) != keyword || keyword.find('.') != keyword.npos ||
        std::ranges::find(kOtherwise, keyword) != std::end(kOtherwise)) {
      continue;
    }
    PpdOption option = Read(each, IppSameName, static_cast<size_t>(-1));
    if (option.choices.size() > 1) options.push_back(std::move(option));
  }
  for (const ppd_group_t& each :
       std::span(group.subgroups, static_cast<size_t>(group.num_subgroups))) {
    AddGroup(each, options);
  }
}

}  // namespace

const PpdChoice* PpdOption::Find(std::string_view name) const {
  const auto found = std::ranges::find(choices, name, &PpdChoice::name);
  return found == choices.end() ? nullptr : &*found;
}

std::string PpdOption::Names() const {
  std::string names;
  for (const PpdChoice& each : choices) {
    names += (names.empty() ? "" : ", ") + each.name;
  }
  return names;
}

PpdOption ReadTrays(ppd_file_t* ppd) {
  return ReadWithDefaultFirst(ppd, "InputSlot", IppKeyword, kMaxTrays);
}

PpdOption ReadPaperTypes(ppd_file_t* ppd) {
  return ReadWithDefaultFirst(ppd, "MediaType", IppPaperType, kMaxTypes);
}

PpdOption ReadOutputBins(ppd_file_t* ppd) {
  return ReadWithDefaultFirst(ppd, "OutputBin", IppKeyword, kMaxBins);
}

std::vector<PpdOption> ReadOtherOptions(ppd_file_t* ppd) {
  std::vector<PpdOption> options;
  for (const ppd_group_t& group :
       std::span(ppd->groups, static_cast<size_t>(ppd->num_groups))) {
    AddGroup(group, options);
  }
  return options;
}

}  // namespace halftoned
