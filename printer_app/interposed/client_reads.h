// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a client may be silent in the middle of what it sends.

#ifndef HALFTONED_PRINTER_APP_INTERPOSED_CLIENT_READS_H_
#define HALFTONED_PRINTER_APP_INTERPOSED_CLIENT_READS_H_

#include <pappl/pappl.h>

namespace halftoned {

constexpr int kClientTimeout = 300;  // seconds

// Of all clients from now on.
void SetClientTimeout(int seconds);

// While it lives, a document that this thread reads is this job's, and is read
// no further once the job is canceled.
class JobReads {
 public:
  explicit JobReads(pappl_job_t* job);
  ~JobReads();
  JobReads(const JobReads&) = delete;
  JobReads& operator=(const JobReads&) = delete;
};

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_INTERPOSED_CLIENT_READS_H_
