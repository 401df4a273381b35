// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of `halftone check`, each of one part of the machine. They change
// nothing, wait no longer than they may, and can run as any user.

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

// halftoned.conf: whether it can be read, by filters too, and its errors. Fills
// context.config.
Findings CheckConfiguration(CheckContext& context);

// Programs and the library whose version differs from this program's.
Findings CheckVersions(const CheckContext& context);

// The daemon: its sockets, whether it answers, its workers and GPUs.
Findings CheckDaemon(const CheckContext& context);
// Findings from its status. json: its answer.
Findings StatusFindings(const std::string& json);

// systemd's units of the daemon; nothing where systemd does not run.
Findings CheckUnits(const CheckContext& context);
// shown: what systemctl show says of the three units.
Findings UnitFindings(std::string_view shown, const CheckContext& context);

// halftone-printer-app: its service, the servers that run, and their printers.
Findings CheckPrinterApp(const CheckContext& context);
// shown: what systemctl show says of the service.
Findings ServiceFindings(std::string_view shown);
// The port that the service listens on; 0 if it is not active.
int ServicePort(std::string_view shown);

// NVIDIA's GPUs and driver, and the worker for them.
Findings CheckGpus(const CheckContext& context);
// printed: the output of worker-cuda --version. Nothing unless this says that a
// driver is too old.
Findings DriverFindings(const std::string& printed);

// The filter and the other files that CUPS takes from us.
Findings CheckCupsFiles(const CheckContext& context);

// The renderers of PDF for CUPS and for the printer application.
Findings CheckRenderers(const CheckContext& context);

// Disk space where CUPS spools.
Findings CheckSpace(const CheckContext& context);
// least: the bytes that are enough.
Findings SpaceIn(const std::string& folder, uint64_t least);

// The AppArmor profile of cupsd, and what it has denied.
Findings CheckAppArmor(const CheckContext& context);
// profile: its text.
bool LetsFiltersRun(std::string_view profile, const std::string& server_bin);
// What was last denied to us; empty if nothing was. journal: lines of the
// kernel's messages.
std::string DenialIn(std::string_view journal);

// Queues, by the program that knows CUPS.
Findings CheckQueues(const CheckContext& context);

}  // namespace halftoned
