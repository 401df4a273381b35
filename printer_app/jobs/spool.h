// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directory in which documents wait. For each job, it has files with names
// of PAPPL's:
//   p00001j000000007-title.jpg       the document; its mode says how far it is
//   p00001j000000007-title.ipp       the job's attributes, which PAPPL writes
//                                    anew at each save
//   p00001j000000007-title.ipp.kept  the same, whole, as they were when the job
//                                    came

#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace halftoned {

struct SpooledJob {
  std::string document;     // its path, if it is whole
  bool is_begun = false;    // the printer got something of it
  bool is_sent = false;     // the printer got all of it
  bool is_suspect = false;  // the server crashed while it printed
};

// "p00001j000000007": what a job's files begin with.
std::string SpoolName(int printer, int job);

// Whether a file of this name is a document, whole or not.
bool IsDocument(std::string_view name);

// None of them takes room on the disk. False, with errno, if it cannot be
// marked.
bool MarkWhole(const std::string& document);
bool MarkBegun(const std::string& document);
bool MarkSent(const std::string& document);
// It is to begin again.
bool MarkWaiting(const std::string& document, bool is_suspect);
bool IsSuspect(const std::string& document);

std::map<std::string, SpooledJob> SpooledJobs(const std::string& spool);

// Keeps the attributes of jobs that have come, and drops those of jobs that
// have gone. False if some could not be kept: they are then kept the next time.
bool KeepAttributes(const std::string& spool);
// Attributes are torn if the program ended while PAPPL wrote them.
void RestoreAttributes(const std::string& spool,
                       const std::set<std::string>& jobs);
// Removes files of deleted printers. printers: gives the numbers of all
// printers, and is called once the directory has been read.
void RemoveOfOtherPrinters(const std::string& spool,
                           const std::function<std::set<int>()>& printers);
// Files of other jobs than these.
void RemoveOthers(const std::string& spool, const std::set<std::string>& jobs);

}  // namespace halftoned
