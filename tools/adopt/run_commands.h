// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that main.cc calls after parsing the command line. Each
// function prints the outcome, or the reason for a failure, and returns the
// exit status.

#pragma once

#include <string>

#include "adopt/adopt_arguments.h"
#include "adopt/printer/add_options.h"
#include "calibrate/calibrate_arguments.h"

namespace halftoned {

// `halftone adopt` and `halftone release`, for queues or a PPD file.
int RunAdopt(const AdoptOptions& options);
int RunAdd(const AddOptions& options);
// `halftone list` and `halftone models`.
int RunList(const ListOptions& options);
// `halftone test-page`.
int RunPrint(const TestPageOptions& options);
// `halftone calibrate print`.
int RunTarget(const CalibrateOptions& options);
// A line for each finding about queues (check/finding.h).
int RunReport();
// The settings that the queue prints with, for `halftone preview`.
int RunLook(const std::string& queue);

}  // namespace halftoned
