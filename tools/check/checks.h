// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of `halftone check`. Each checks one part of the machine, changes
// nothing, waits for a limited time, and can run as any user.

#pragma once

#include <string>
#include <string_view>

#include "base/finding.h"
#include "check/places.h"
#include "config/config.h"

namespace halftoned {

// The context of the checks, complete once the configuration has been read.
struct CheckContext {
  Places places;
  Config config;
  int timeout = 30;  // seconds, for each answer
};

// halftoned.conf: its errors, and whether this user and filters can read it.
// Fills context.config.
Findings CheckConfiguration(CheckContext& context);

// Finds programs and a library of another version than this program's.
Findings CheckVersions(const CheckContext& context);

// The daemon: its sockets, whether it answers, its workers and GPUs.
Findings CheckDaemon(const CheckContext& context);
// Findings from the daemon's status. json: its response.
Findings StatusFindings(const std::string& json);

// The daemon's systemd units. No findings where systemd does not run.
Findings CheckUnits(const CheckContext& context);
// shown: the output of systemctl show for the three units.
Findings UnitFindings(std::string_view shown, const CheckContext& context);

// halftone-printer-app: its service, its running servers, and their printers.
Findings CheckPrinterApp(const CheckContext& context);
// shown: the output of systemctl show for the service.
Findings ServiceFindings(std::string_view shown);
// The port that the service listens on; 0 if it is not active.
int ServicePort(std::string_view shown);

// NVIDIA's GPUs and driver, and the worker for them.
Findings CheckGpus(const CheckContext& context);
// printed: the output of worker-cuda --version. A finding only if the output
// says that a driver is too old.
Findings DriverFindings(const std::string& printed);

// The filter and the other files that CUPS takes from us.
Findings CheckCupsFiles(const CheckContext& context);

// The PDF renderers for CUPS and for the printer application.
Findings CheckRenderers(const CheckContext& context);

// Disk space where CUPS spools.
Findings CheckSpace(const CheckContext& context);
// least: bytes that are sufficient.
Findings SpaceIn(const std::string& folder, uint64_t least);

// The AppArmor profile of cupsd, and its denials.
Findings CheckAppArmor(const CheckContext& context);
// profile: the profile's text.
bool LetsFiltersRun(std::string_view profile, const std::string& server_bin);
// The last denial for one of our programs; empty if there is none. journal:
// lines of the kernel's messages.
std::string DenialIn(std::string_view journal);

// Queues. Runs halftone-adopt, the program that uses CUPS.
Findings CheckQueues(const CheckContext& context);

}  // namespace halftoned
