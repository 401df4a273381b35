// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A printer's IEEE 1284 device ID, such as "MFG:Brother;CMD:PJL,HBP;MDL:HL-2030
// series;".

#pragma once

#include <string>
#include <string_view>

namespace halftoned {

// In capitals; empty if the device ID does not say.
struct DeviceId {
  std::string maker;
  std::string model;
  std::string commands;  // with commas between them

  static DeviceId Parse(const char* text);

  bool names_model() const { return !maker.empty() && !model.empty(); }

  // "MAKER MODEL" in a single spelling: makers have several names, and some
  // models begin with the maker or end with "series".
  std::string Key() const;
  // The same for a text such as "Samsung ML-1640, SpliX 2.0".
  static std::string KeyOf(std::string_view make_and_model);
};

}  // namespace halftoned
