// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/job_owner.h"

#include <utility>

#include "printer_app/front/pappl/kept_shares.h"

namespace halftoned {

UserShares::User OwnerOfJob(pappl_job_t* job) {
  auto owner = UserOf(papplJobGetFilename(job));
  if (owner) return std::move(*owner);
  const char* named = papplJobGetUsername(job);
  return {named ? named : ""};
}

}  // namespace halftoned
