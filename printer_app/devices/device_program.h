// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs PAPPL's own devices, USB printers and printers found in the network, in
// separate programs. There they may hang or fail: without D-Bus, PAPPL 1.3 ends
// a program that looks for network printers, and without avahi-daemon it keeps
// a lock forever. A program only connects to a network printer: the server
// prints on the connection, as on that of a `socket` URI.
//
// A line is info, URI and device id, separated by tabs.

#pragma once

#include <pappl/pappl.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "printer_app/devices/device_stream.h"

namespace halftoned {

// The variable that keeps the system bus' address for these programs.
inline constexpr char kSystemBus[] = "HALFTONED_SYSTEM_BUS";

struct FoundDevice {
  std::string info, uri, id;
};

// Lists devices of these types, until `take` returns true, which is the result.
// A list that is a few seconds old is used again.
bool ListByProgram(pappl_devtype_t types,
                   const std::function<bool(const FoundDevice&)>& take);

// The IEEE 1284 device id of a printer that nobody has open; empty if it does
// not tell it.
std::string IdByProgram(const std::string& uri);

// Connects to a printer that is found in the network by its name. It fails if
// the name leads to this machine.
Result<Descriptor> ConnectByProgram(const std::string& uri,
                                    const std::function<bool()>& is_canceled);

// For USB printers: the program passes on the bytes.
Result<std::unique_ptr<DeviceStream>> OpenByProgram(
    const std::string& uri, const std::function<bool()>& is_canceled);

// If these words call such a program, does its work and returns the exit
// status. Call it first in main.
std::optional<int> RunDeviceProgram(int argc, char* argv[]);

}  // namespace halftoned
