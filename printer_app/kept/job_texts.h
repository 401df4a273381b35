// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job as PAPPL keeps it: its line of the state, and its attributes.

#pragma once

#include <pappl/pappl.h>

#include <string>

namespace halftoned {

// Takes no lock of PAPPL. A job that is being canceled has ended already: it is
// not to print again.
std::string LineOf(pappl_job_t* job);

// A message of IPP. Locks the job to read; PAPPL hands out its attributes
// without a lock, so nobody may change the job meanwhile (job_lock.h).
std::string AttributesOf(pappl_job_t* job);

}  // namespace halftoned
