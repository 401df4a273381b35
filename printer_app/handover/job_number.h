// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job by the numbers of its printer and of itself, as its files' names have
// them.

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

// "p00001j000000007": what a job's files begin with.
std::string SpoolName(JobNumber number);
// The job whose file has this name.
std::optional<JobNumber> JobOfFile(std::string_view name);

}  // namespace halftoned
