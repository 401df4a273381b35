// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps each job in files of its own: its record, its attributes and its
// document. Other jobs' files are not touched.

#pragma once

#include <pappl/pappl.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/kept/job_records.h"
#include "printer_app/kept/spool.h"

namespace halftoned {

JobNumber NumberOf(pappl_job_t* job);

class KeptJobs {
 public:
  // The first directory is for records alone.
  KeptJobs(std::string folder, std::string spool)
      : records_(std::move(folder)), spool_(std::move(spool)) {}
  KeptJobs(const KeptJobs&) = delete;
  KeptJobs& operator=(const KeptJobs&) = delete;

  JobRecords& records() { return records_; }

  // One that the last process left, and that waits. document: its file.
  void Load(JobNumber number, const std::string& document) {
    active_[number].file = document;
    active_[number].document = DocumentOf(document);
  }

  // The job has come: it is kept before its client hears of it. Locks it to
  // read.
  Result<void> Begin(pappl_job_t* job);
  // Its document has arrived. False: its file is gone, so nobody knows which
  // document it was. PAPPL leaves the file of a job that was canceled just
  // before: it is removed.
  bool NoteDocument(JobNumber number, const std::string& document);
  // It may have changed. Locks it to read.
  Result<void> Update(pappl_job_t* job);
  // It has ended, or will soon: it does not print again. Takes no lock of
  // PAPPL.
  Result<void> End(pappl_job_t* job);
  // The printer is deleted.
  void RemovePrinter(int printer);

  // Whether it has not ended.
  bool Has(JobNumber number) const {
    const std::lock_guard lock(mutex_);
    return active_.contains(number);
  }
  // Those that have not ended.
  std::vector<JobNumber> Active() const;

 private:
  struct Kept {
    size_t line = 0;  // digests of what is in its files; 0: not known
    size_t attributes = 0;
    std::string file;      // PAPPL's, of the document; empty: not known
    std::string document;  // the client's, to which it refers
  };

  Result<void> Write(pappl_job_t* job, JobNumber number);

  JobRecords records_;
  const std::string spool_;
  mutable std::mutex mutex_;
  std::map<JobNumber, Kept> active_;
};

}  // namespace halftoned
