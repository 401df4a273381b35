// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs of a queue, as CUPS lists them. print_server.h sends the request; this
// file only reads the response.

#pragma once

#include <set>
#include <string>
#include <vector>

struct _ipp_s;  // ipp_t of cups/ipp.h

namespace halftoned {

// A job that is not completed.
struct PrintJob {
  enum class State { kPending, kHeld, kPrinting, kStopped };

  int id = 0;
  State state = State::kPending;
  std::set<std::string> reasons;  // keywords of IPP
  std::string message;            // for people; may be empty
  std::string hold_until;         // a keyword or a time; may be empty
  int age = 0;                    // seconds since CUPS got it
  int printing = 0;               // seconds since it began to print
  int pages = 0;                  // that have begun to print, at most
};

// The attributes that JobsIn needs.
inline constexpr const char* kJobAttributes[] = {"job-id",
                                                 "job-state",
                                                 "job-state-reasons",
                                                 "job-printer-state-message",
                                                 "job-printer-up-time",
                                                 "job-hold-until",
                                                 "job-impressions-completed",
                                                 "time-at-creation",
                                                 "time-at-processing"};

// The jobs of a response to Get-Jobs, the oldest first. CUPS may hide
// attributes; a job without a state is left out.
std::vector<PrintJob> JobsIn(_ipp_s* response);

}  // namespace halftoned
