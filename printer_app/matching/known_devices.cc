// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the driver of the table for a printer.

#include <algorithm>

#include "printer_app/matching/device_id.h"
#include "printer_app/printers/drivers.h"

namespace halftoned {
namespace {

using Parts = std::span<const std::string_view>;

// Makers whose models are known without a command set.
constexpr std::string_view kMakers[] = {"ZEBRA", "ELTRON", "EPSON"};
// These models name a language of the table, but are other kinds of printers:
// inkjets, plotters and dot matrix printers.
constexpr std::string_view kOtherModels[] = {
    "DESKJET",    "DESIGNJET", "OFFICEJET", "OFFICE JET",
    "PHOTOSMART", "TM-C",      "TM-J",      "TM-U",
};

// Whether one of the commands is in `names`.
bool Names(std::string_view commands, Parts names) {
  while (!commands.empty()) {
    const size_t end = std::min(commands.find(','), commands.size());
    std::string_view word = commands.substr(0, end);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    if (std::ranges::find(names, word) != names.end()) return true;
    commands.remove_prefix(std::min(end + 1, commands.size()));
  }
  return false;
}

bool HasPart(std::string_view model, Parts parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) {
    return model.find(part) != model.npos;
  });
}

// The first driver for which `is_right`; null if there is none.
template <typename IsRight>
const Driver* First(const IsRight& is_right) {
  const auto found = std::ranges::find_if(Drivers(), is_right);
  return found == Drivers().end() ? nullptr : &*found;
}

}  // namespace

const Driver* DriverForDevice(const DeviceId& device) {
  if (HasPart(device.model, kOtherModels)) return nullptr;
  const bool is_silent = device.commands.empty();
  if (is_silent && !HasPart(device.maker, kMakers)) return nullptr;
  const auto speaks = [&](const Driver& driver) {
    return is_silent || Names(device.commands, driver.command_sets);
  };
  const Driver* exact = First([&](const Driver& driver) {
    return speaks(driver) && HasPart(device.model, driver.models);
  });
  return exact || is_silent ? exact : First(speaks);
}

}  // namespace halftoned
