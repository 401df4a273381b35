// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the state with which the application goes on from the one that it left
// behind.
//
// PAPPL never restarts a job that had begun, and stops reading at a job without
// a format. So the state is corrected before PAPPL reads it: a job whose
// document is whole in the spool waits again, one that the printer has wholly
// is completed, one that ended the program twice is aborted, and surplus files
// of the spool are removed.

#pragma once

#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "printer_app/kept/spool.h"

namespace halftoned {

struct Recovery {
  std::string state;  // for PAPPL
  // Lines of the jobs that end here, and of all others.
  std::map<JobNumber, std::string> ended, others;
  std::vector<std::string> notes;  // for the log
};

// The state with the lines of all jobs in it. Those of `jobs` replace others,
// which earlier versions left there.
std::string WithJobs(const std::string& state,
                     const std::map<JobNumber, std::string>& jobs);

// Changes only marks of documents, and what the spool has too much or torn.
// has_crashed: the process before ended by itself, perhaps because of a job
// that printed.
Recovery RecoverJobs(const std::string& state, const std::string& spool,
                     time_t now, bool has_crashed);

}  // namespace halftoned
