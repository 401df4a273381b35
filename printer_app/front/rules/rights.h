// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The right that each IPP operation needs. Operations that are not listed are
// not served. Pure.

#pragma once

#include <cups/ipp.h>

#include <cstdint>
#include <optional>

namespace halftoned {

enum class Right : uint8_t {
  kRead,          // nothing; jobs of others are withheld
  kPrint,         // to print
  kOwnJob,        // a job, its own
  kOwnJobs,       // cancels all jobs of its own
  kCurrentJob,    // the job that prints, its own
  kSubscription,  // a subscription, its own
  kAdmin,         // changes printers
  kStop,          // the same, and ends the server
};

// is_of_system: its target is the system, and no printer.
std::optional<Right> RightFor(ipp_op_t operation, bool is_of_system);

// Whether it lists devices, which can take a minute.
bool FindsDevices(ipp_op_t operation);

// Whether printers or their settings are others afterwards.
bool ChangesPrinters(ipp_op_t operation);

// Whether it stops or starts printers, or their acceptance of new jobs.
bool SwitchesPrinters(ipp_op_t operation);

// Cancels jobs, in PAPPL.
bool CancelsJobs(ipp_op_t operation);

bool CreatesJob(ipp_op_t operation);

// Creates a job, or brings its document.
bool MakesJob(ipp_op_t operation);

bool BringsDocument(ipp_op_t operation);

}  // namespace halftoned
