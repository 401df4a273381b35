// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file per job, with the job's line of PAPPL's state. So the cost of
// creating, changing or ending a job does not depend on the number of jobs.
// SpoolName() names the files. Does not use PAPPL.

#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "printer_app/kept/spool.h"

namespace halftoned {

class JobRecords {
 public:
  // The number of ended jobs that PAPPL remembers for a printer.
  static constexpr size_t kMostEnded = 100;

  // The directory must hold no other files. most_ended: maximum number of
  // records of ended jobs per printer.
  explicit JobRecords(std::string folder, size_t most_ended = kMostEnded)
      : folder_(std::move(folder)), most_ended_(most_ended) {}
  JobRecords(const JobRecords&) = delete;
  JobRecords& operator=(const JobRecords&) = delete;

  struct Found {
    std::map<JobNumber, std::string> lines;
    std::vector<std::string> damaged;  // names of files
  };
  // Reads all records, and removes all other files. Fails, and removes nothing,
  // if the directory or a record cannot be read. Call it before any other
  // function, and from one thread.
  Result<Found> Read();
  Result<void> Write(JobNumber number, const std::string& line, bool has_ended);
  void RemovePrinter(int printer);

 private:
  std::string PathOf(JobNumber number) const;

  const std::string folder_;
  const size_t most_ended_;
  std::mutex mutex_;
  std::map<int, std::set<int>> ended_;  // by printer
};

}  // namespace halftoned
