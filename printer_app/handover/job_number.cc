// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/handover/job_number.h"

#include <cstdio>

namespace halftoned {

std::string SpoolName(JobNumber number) {
  char name[32];
  std::snprintf(name, sizeof(name), "p%05dj%09d", number.printer, number.job);
  return name;
}

std::optional<JobNumber> JobOfFile(std::string_view name) {
  const std::string begin(name.substr(0, name.find('-')));
  JobNumber number;
  if (std::sscanf(begin.c_str(), "p%9dj%9d", &number.printer, &number.job) !=
          2 ||
      begin != SpoolName(number)) {
    return std::nullopt;
  }
  return number;
}

}  // namespace halftoned
