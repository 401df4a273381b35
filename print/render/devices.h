// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ghostscript's known devices: those that print black dots, and so can print
// ours, and those that do not print.

#pragma once

#include <string_view>

namespace halftoned {

enum class DeviceKind {
  kUnknown,
  kDots,     // prints a bitmap of black dots at its resolution
  kDocument  // makes documents, or nothing
};

struct Device {
  DeviceKind kind;
  // The device that prints our dots: this one, or another if this one would
  // dither them.
  std::string_view for_dots;
  // Its resolution if the command line names none, such as "240x72".
  std::string_view resolution = {};
  // This device ignores requests for trays; for_dots would obey them.
  bool ignores_trays = false;
};

Device DeviceNamed(std::string_view name);

}  // namespace halftoned
