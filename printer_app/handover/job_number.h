// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job, identified by its printer's number and its own. The names of its files
// contain both.

#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace halftoned {

struct JobNumber {
  int printer = 0;
  int job = 0;
  auto operator<=>(const JobNumber&) const = default;
};

// "p00001j000000007": the start of the names of a job's files.
std::string SpoolName(JobNumber number);
// The job to which the file of this name belongs.
std::optional<JobNumber> JobOfFile(std::string_view name);

}  // namespace halftoned
