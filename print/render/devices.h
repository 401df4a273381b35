// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of Ghostscript's devices: those that print black dots, which
// print ours just as well, and those that make no print.

#pragma once

#include <string_view>

namespace halftoned {

enum class DeviceKind {
  kUnknown,
  kDots,     // prints a bitmap of black dots at its resolution
  kDocument  // makes documents of documents, or nothing
};

struct Device {
  DeviceKind kind;
  // The device that prints our dots; another one where this one dithers again.
  std::string_view for_dots;
  // What it prints at if a command line names no resolution, such as "240x72".
  std::string_view resolution = {};
  // Whether that one heeds requests for trays that this one does not know.
  bool ignores_trays = false;
};

Device DeviceNamed(std::string_view name);

}  // namespace halftoned
