// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Corrects the saved state of the last process for the next one.
//
// PAPPL never restarts a job that had begun, stops reading at a job without a
// format, and stops at a printer whose line is too long. So the state is
// corrected before PAPPL reads it. A job waits again if its document is
// complete in the spool, is completed if the printer has all of it, and is
// aborted if it crashed the program. A printer's device ID is shortened if its
// line is too long; if that is not enough, PAPPL does not get the printer.
// Surplus files of the spool are removed.
//
// Jobs that were printing at a crash are suspects, and print one at a time
// (suspect_turn.h). A suspect that prints when the program crashes again is
// aborted. If jobs that were no suspects printed, too, one of them may be the
// cause, so the suspect is spared once.

#pragma once

#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "printer_app/kept/spool.h"

namespace halftoned {

struct Recovery {
  std::string state;  // as PAPPL reads it
  // The lines of the jobs that the recovery ends, and of all others.
  std::map<JobNumber, std::string> ended, others;
  std::vector<std::string> notes;  // for the log
};

// Returns the state with the lines of all jobs. Lines in `jobs` replace those
// of the same jobs that earlier versions wrote to the state.
std::string WithJobs(const std::string& state,
                     const std::map<JobNumber, std::string>& jobs);

// Changes only marks of documents in the spool, and removes surplus and
// incomplete files there. has_crashed: the last process crashed, perhaps
// because of a printing job. A job whose files the disk fails to read is
// aborted; if they cannot be opened for another reason, nothing is removed.
Result<Recovery> RecoverJobs(const std::string& state, const std::string& spool,
                             time_t now, bool has_crashed);

}  // namespace halftoned
