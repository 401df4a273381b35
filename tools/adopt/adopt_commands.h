// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands of halftone-adopt, one per file. A Result holds the outcome, or the
// reason why nothing was done.

#pragma once

#include <functional>
#include <string>

#include "adopt/printer/add_options.h"
#include "adopt/queue/outcome.h"
#include "adopt/queue/print_server.h"
#include "base/finding.h"
#include "base/result.h"
#include "check/places.h"
#include "settings/settings_arguments.h"

namespace halftoned {

// `halftone add`: creates a queue that prints through our filter. The printer
// reports its formats, or the options name its language.
Result<QueueOutcome> AddQueue(PrintServer& server, const AddOptions& options);

// `halftone set`, `unset` and `show`. Both print the outcome, or one line with
// the reason for a failure, and return the exit status.
int RunChange(const SettingsOptions& options, bool is_set);
int RunShow(const SettingsOptions& options);

// `halftone calibrate print QUEUE`: prints a calibration chart with the queue's
// type, resolution and driver. The first chart is printed without a curve, the
// second with the queue's measured curve. Nothing else changes their tones.
// configuration: the path of halftoned.conf.
Result<QueueOutcome> PrintTarget(const std::string& name, bool is_second,
                                 const std::string& configuration);

// Checks the queues of CUPS for `halftone check`. Reports each finding
// immediately, since CUPS may be slow.
void ReportQueues(const Places& places,
                  const std::function<void(const Finding&)>& tell);

}  // namespace halftoned
