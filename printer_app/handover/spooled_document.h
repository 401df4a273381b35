// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Documents of jobs, which PAPPL gets by reference. Before PAPPL learns of a
// job, its whole document is in the spool directory; for raster, the first page
// is enough. PAPPL's own file for the job contains only the document's number.
// This file does not use PAPPL.
//
//   document-<number>.part   a document that is arriving, locked (flock). Once
//                            a job has it, only whole pages are in it
//   document-<number>        a whole one, locked and open for writing until a
//                            job has it
//   <the job's own file>     "halftoned document <number>\n", and a line with
//                            the owner, in words of the front end alone

#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// Reads a document from the spool, even one that is still arriving.
class ArrivingDocument {
 public:
  static Result<ArrivingDocument> Open(const std::string& job_file);

  // The number of bytes read. 0: the document is whole, and all of it has been
  // read. Nothing: more may arrive. An error: the writer has given up.
  Result<std::optional<size_t>> Read(std::span<std::byte> room);

 private:
  ArrivingDocument(std::string whole, Descriptor file)
      : whole_(std::move(whole)), file_(std::move(file)) {}
  bool IsWhole() const;
  bool HasWriter() const;

  std::string whole_;  // the path of the document once it is whole
  Descriptor file_;
};

// A random number in hexadecimal digits; empty if the system has none.
std::string NewDocumentNumber();

// Extension of a document that is arriving.
inline constexpr std::string_view kPart = ".part";

// "document-<number>".
std::string DocumentName(std::string_view number);

// Whether the name is that of a document, even of one that is still arriving.
bool IsDocumentName(std::string_view name);

// The text that PAPPL gets in place of the document. owner: a line, or empty.
std::string ReferenceTo(std::string_view number, std::string_view owner = "");

// Opens a file of the spool directory for reading, without waiting. Fails if it
// is a link, a pipe or anything else but a regular file: kBadInput, as for a
// missing file. kIo: the disk fails to read it. kUnavailable: the file may
// exist, but this process cannot open it now.
Result<Descriptor> OpenSpooled(const std::string& path);

// Whether there is such a file; an error if that cannot be found out.
Result<bool> IsSpooled(const std::string& path);

// The paths of all files. An error if any of them may be missing from the list.
Result<std::vector<std::filesystem::path>> FilesIn(const std::string& folder);

// The number, if this is a whole reference.
std::optional<std::string> NumberIn(std::string_view reference);

// The owner in a job's file; empty if the file is not a reference, or names no
// owner.
std::string OwnerOf(const std::string& job_file);

// The document that a job's file refers to, in the same directory, or the file
// itself if it is not a reference. An error if that cannot be found out.
Result<std::string> DocumentOf(const std::string& job_file);

// Whether the job's file refers to a document that is whole.
bool HasDocument(const std::string& job_file);

// The same, or nothing if the job's file is not a reference. An error if that
// cannot be found out: then neither file may be removed.
Result<std::optional<bool>> FindsDocument(const std::string& job_file);

// Whether the job's file refers to a document that is still arriving.
bool IsArriving(const std::string& job_file);

// Removes documents that were arriving when the last process ended. Call it
// before new documents arrive.
void RemoveUnfinishedDocuments(const std::string& spool);

// Removes the document of a job that has ended. A document that is still
// arriving is left to its writer. Does nothing if the path is empty.
void RemoveDocument(const std::string& document);

// Removes documents that no job's file refers to and that are not locked.
// Returns false if a whole document was locked and may have to be removed soon.
// Removes nothing if the directory or a file cannot be read.
Result<bool> RemoveForgottenDocuments(const std::string& spool);

}  // namespace halftoned
