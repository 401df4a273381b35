// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shares of jobs that waited when the last server ended. The file that
// PAPPL keeps of a job's document says whose share it is.

#pragma once

#include <optional>
#include <string>

#include "printer_app/front/pappl/user_shares.h"

namespace halftoned {

// "PRINTER GROUP USER", for ReferenceTo. printer: as JobKey has it.
std::string OwnerLine(const std::string& printer, const UserShares::User& user);

// The user whose share the job is, if the job's file says so.
std::optional<UserShares::User> UserOf(const std::string& job_file);

// Adds the jobs whose documents are in the spool directory, before clients
// connect, and after files of ended jobs were removed.
void AddKeptJobs(const std::string& spool, UserShares& shares);

}  // namespace halftoned
