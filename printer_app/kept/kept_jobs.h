// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps each job in its own files: its record, its attributes and its document.
// Does not touch other jobs' files.

#pragma once

#include <pappl/pappl.h>

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "printer_app/kept/job_records.h"
#include "printer_app/kept/spool.h"

namespace halftoned {

JobNumber NumberOf(pappl_job_t* job);

class KeptJobs {
 public:
  // The first directory holds records only. on_end: called once for each job
  // that has ended; must not use this object.
  KeptJobs(std::string folder, std::string spool,
           std::function<void(pappl_job_t*)> on_end)
      : records_(std::move(folder)),
        spool_(std::move(spool)),
        on_end_(std::move(on_end)) {}
  KeptJobs(const KeptJobs&) = delete;
  KeptJobs& operator=(const KeptJobs&) = delete;

  JobRecords& records() { return records_; }

  // Adds the waiting jobs of these printers that the last process left, and
  // whose records have these lines.
  Result<void> Load(const std::set<int>& printers,
                    const std::map<JobNumber, std::string>& lines);

  // Keeps a new job, before its client gets the reply. Locks the job for
  // reading.
  Result<void> Begin(pappl_job_t* job);
  // Notes that the job's document has arrived. False: the job's file is gone,
  // or cannot be read, so its document is unknown. If the job was canceled just
  // before, PAPPL leaves the file; then it is removed here.
  bool NoteDocument(JobNumber number, const std::string& document);
  // Saves the job if it has changed. Locks it for reading. If that fails, the
  // job is outdated on disk until it is saved or ends.
  Result<void> Update(pappl_job_t* job);
  // Saves that the job has ended, or soon will, so that it does not print
  // again. If that fails, removes its document at once. Takes no lock of PAPPL.
  Result<void> End(pappl_job_t* job);
  // Tries again to save the ends that could not be saved. False: some still
  // cannot.
  bool SaveEnds();
  // The jobs whose end could not be saved, and which have a document, and so
  // print again after a restart.
  std::vector<JobNumber> UnsavedEnds() const;
  // The jobs that have not ended, and are missing or outdated on disk.
  std::vector<JobNumber> Outdated() const;
  bool IsOutdated(JobNumber number) const {
    const std::lock_guard lock(mutex_);
    return outdated_.contains(number);
  }
  // Removes the jobs of a printer that is being deleted.
  void RemovePrinter(int printer);

  // Whether the job is kept and has not ended.
  bool Has(JobNumber number) const {
    const std::lock_guard lock(mutex_);
    return active_.contains(number);
  }
  // The jobs that have not ended.
  std::vector<JobNumber> Active() const;

 private:
  struct Kept {
    size_t line = 0;  // digests of the contents of the job's files; 0: unknown
    size_t attributes = 0;
    std::string file;      // PAPPL's file for the document; empty: unknown
    std::string document;  // the client's document, to which `file` refers
  };
  struct UnsavedEnd {
    std::string line;
    bool has_ended;  // false: it soon will
    Kept files;
  };

  Result<void> Write(pappl_job_t* job, JobNumber number);
  Result<void> WriteFiles(pappl_job_t* job, JobNumber number,
                          const std::string& attributes, Kept& kept);
  static void RemoveFiles(const Kept& kept);

  JobRecords records_;
  const std::string spool_;
  const std::function<void(pappl_job_t*)> on_end_;
  mutable std::mutex mutex_;
  std::map<JobNumber, Kept> active_;
  std::set<JobNumber> outdated_;  // of these
  std::map<JobNumber, UnsavedEnd> unsaved_;
};

}  // namespace halftoned
