// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the application kept when it ended, made into what it goes on with.
//
// PAPPL writes its state seldom, never prints a job again that it had begun,
// and stops reading at a job without a format. So the state is read before
// PAPPL reads it: a job whose document is whole in the spool waits again, and
// what the spool has beyond that goes.
//
// The spool has, for each job, and beside what PAPPL calls them:
//   p00001j000000007-title.jpg        the document; not writable once it is
//   whole p00001j000000007-title.ipp        the job's attributes, which PAPPL
//   writes anew p00001j000000007-title.ipp.kept   the same, as they were when
//   the job came p00001j000000007-title.begun      there once the printer got
//   something of it

#ifndef HALFTONED_PRINTER_APP_RECOVERY_H_
#define HALFTONED_PRINTER_APP_RECOVERY_H_

#include <ctime>
#include <string>
#include <vector>

namespace halftoned {

// The mode of a document that is whole.
constexpr unsigned kWholeDocument = 0400;
constexpr const char* kKept = ".kept";
constexpr const char* kBegun = ".begun";
constexpr const char* kAttributes = ".ipp";

// "p00001j000000007": what a job's files in the spool begin with.
std::string SpoolName(int printer, int job);

struct Recovery {
  std::string state;               // for PAPPL
  std::vector<std::string> notes;  // for the log
};

// Changes nothing but what the spool has too much or torn.
Recovery RecoverJobs(const std::string& state, const std::string& spool,
                     time_t now);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_RECOVERY_H_
