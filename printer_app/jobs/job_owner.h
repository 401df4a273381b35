// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user whose share of memory and disk space a job takes: not the name that
// a client on another machine claims, but its network.

#pragma once

#include <pappl/pappl.h>

#include "printer_app/front/pappl/user_shares.h"

namespace halftoned {

UserShares::User OwnerOfJob(pappl_job_t* job);

}  // namespace halftoned
