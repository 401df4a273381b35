// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/drivers.h"

#include <pappl/pappl.h>

#include <algorithm>
#include <string>

namespace halftoned {
namespace {

constexpr std::string_view kNamesOfPwg[] = {"PWGRASTER"};
constexpr std::string_view kNamesOfPcl[] = {"PCL5E", "PCL5C", "PCL5", "PCL"};
constexpr std::string_view kNamesOfZpl[] = {"ZPL", "ZPL2", "ZPL II"};

constexpr int kOfOffices[] = {300, 600};
constexpr int k203[] = {203};
constexpr int k300[] = {300};
constexpr int k600[] = {600};

constexpr const char* kOfficeMedia[] = {
    "iso_a4_210x297mm",         "iso_a5_148x210mm",  "iso_a6_105x148mm",
    "na_letter_8.5x11in",       "na_legal_8.5x14in", "na_executive_7.25x10.5in",
    "na_number-10_4.125x9.5in", "iso_dl_110x220mm",
};
constexpr const char* kLabelMedia[] = {
    "na_index-4x6_4x6in",       "oe_4x4-label_4x4in",
    "oe_4x3-label_4x3in",       "oe_4x2-label_4x2in",
    "oe_4x1-label_4x1in",       "oe_3x2-label_3x2in",
    "oe_3x1-label_3x1in",       "oe_2.25x1.25-label_2.25x1.25in",
    "oe_2x1-label_2x1in",       "om_100x150-label_100x150mm",
    "om_100x50-label_100x50mm", "roll_max_4x39.6in",
    "roll_min_0.75x0.25in",
};

constexpr Driver Label(const char* name, const char* description,
                       std::span<const int> resolutions,
                       std::span<const std::string_view> command_sets) {
  return {name,
          description,
          command_sets,
          MakeZplEncoder,
          "application/vnd.zebra-zpl",
          Technology::kThermal,
          resolutions,
          kLabelMedia,
          "na_index-4x6_4x6in",
          1,
          1,
          true,
          false};
}

constexpr Driver kDrivers[] = {
    {"pwg", "PWG raster, black and white", kNamesOfPwg, MakePwgEncoder, nullptr,
     Technology::kLaser, kOfOffices, kOfficeMedia, "iso_a4_210x297mm", 423, 423,
     false, true},
    {"pcl5e", "PCL 5e laser, black and white", kNamesOfPcl, MakePclEncoder,
     "application/vnd.hp-pcl", Technology::kLaser, kOfOffices, kOfficeMedia,
     "iso_a4_210x297mm", 635, 423, false, true},
    Label("zpl-203dpi", "ZPL label printer, 203 dpi", k203, kNamesOfZpl),
    Label("zpl-300dpi", "ZPL label printer, 300 dpi", k300, {}),
    Label("zpl-600dpi", "ZPL label printer, 600 dpi", k600, {}),
};

// Whether one of the command set's names, which commas divide, is in `names`.
bool Names(std::string command_set, std::span<const std::string_view> names) {
  for (char& c : command_set) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  std::string_view left = command_set;
  while (!left.empty()) {
    const size_t end = std::min(left.find(','), left.size());
    std::string_view word = left.substr(0, end);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    if (std::ranges::find(names, word) != names.end()) return true;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return false;
}

}  // namespace

std::span<const Driver> Drivers() { return kDrivers; }

const Driver* FindDriver(std::string_view name) {
  const auto* found = std::ranges::find(kDrivers, name, &Driver::name);
  return found == std::end(kDrivers) ? nullptr : found;
}

const Driver* DriverForDevice(const char* device_id) {
  if (!device_id) return nullptr;
  cups_option_t* pairs = nullptr;
  const int count = papplDeviceParseID(device_id, &pairs);
  const char* set = cupsGetOption("COMMAND SET", count, pairs);
  if (!set) set = cupsGetOption("CMD", count, pairs);
  const std::string command_set = set ? set : "";
  cupsFreeOptions(count, pairs);
  const auto* found = std::ranges::find_if(kDrivers, [&](const Driver& driver) {
    return Names(command_set, driver.command_sets);
  });
  return found == std::end(kDrivers) ? nullptr : found;
}

}  // namespace halftoned
