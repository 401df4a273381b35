// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job as PAPPL stores it: its line in the state, and its attributes.

#pragma once

#include <pappl/pappl.h>

#include <string>

namespace halftoned {

// Takes no lock of PAPPL. Treats a job that is being canceled as ended: it must
// not print again.
std::string LineOf(pappl_job_t* job);

// An IPP message. Locks the job for reading. But PAPPL returns its attributes
// without a lock, so nothing must change the job meanwhile (job_lock.h).
std::string AttributesOf(pappl_job_t* job);

}  // namespace halftoned
