// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directory of waiting documents. PAPPL names the files of each job:
//   p00001j000000007-title.jpg  the document; its mode says how far it is
//   p00001j000000007-title.ipp  the attributes of a job that has not ended,
//                               which PAPPL reads at its start

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "printer_app/handover/job_number.h"

namespace halftoned {

struct SpooledJob {
  std::string document;     // its path, if it is whole
  bool is_begun = false;    // the printer got some of it
  bool is_sent = false;     // the printer got all of it
  bool is_failed = false;   // it failed; the end may have been sent
  bool is_suspect = false;  // the server crashed while it printed
  bool is_spared = false;   // the server crashed once more, perhaps in others
  int64_t marked = 0;       // the time of the last mark, in nanoseconds
  std::string damage;       // how the disk failed to read its files, if it did
};

// Whether a file of this name is a document, whole or not.
bool IsDocument(std::string_view name);

// Marks take no space on the disk. False, with errno, if marking fails.
bool MarkWhole(const std::string& document);
bool MarkBegun(const std::string& document);
bool MarkSent(const std::string& document, bool is_sent = true);
bool MarkFailed(const std::string& document);
// Marks that the job is to begin again. Keeps only the marks is_suspect and
// is_spared.
bool MarkWaiting(const SpooledJob& job);
bool IsSuspect(const std::string& document);

// The jobs whose documents are whole, or that the disk fails to read. An error
// if any job may be missing.
Result<std::map<JobNumber, SpooledJob>> SpooledJobs(const std::string& spool);

// The file from which PAPPL reads the attributes of this document's job.
std::string AttributesOf(const std::string& document);
// False if the IPP message is missing or truncated; an error if it cannot be
// read.
Result<bool> HasAttributes(const std::string& document);
// Removes the hold of a job that had begun.
void ForgetHold(const std::string& document);

// Removes all files of a printer's jobs.
void RemoveFilesOf(const std::string& folder, int printer);
// Removes the files of all other jobs.
void RemoveOthers(const std::string& spool, const std::set<JobNumber>& jobs);

}  // namespace halftoned
