// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/handover/arriving_document.h"

#include <sys/file.h>
#include <sys/stat.h>

#include "printer_app/handover/spooled_document.h"

namespace halftoned {

Result<ArrivingDocument> ArrivingDocument::Open(const std::string& job_file) {
  std::string whole = DocumentOf(job_file);
  Result<Descriptor> file = OpenSpooled(whole);
  if (!file.ok()) file = OpenSpooled(whole + std::string(kPart));
  // It may have become whole in between.
  if (!file.ok()) file = OpenSpooled(whole);
  if (!file.ok()) return file.error();
  return ArrivingDocument(std::move(whole), std::move(*file));
}

bool ArrivingDocument::IsWhole() const {
  struct stat own;
  struct stat named;
  return fstat(file_.get(), &own) == 0 && stat(whole_.c_str(), &named) == 0 &&
         own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

bool ArrivingDocument::HasWriter() const {
  if (flock(file_.get(), LOCK_EX | LOCK_NB) != 0) return true;
  flock(file_.get(), LOCK_UN);
  return false;
}

Result<std::optional<size_t>> ArrivingDocument::Read(
    std::span<std::byte> room) {
  // Asked before reading: by then all bytes have arrived.
  const bool is_whole = IsWhole();
  const bool has_writer = is_whole || HasWriter();
  HALFTONED_TRY_ASSIGN(const size_t size, ReadFully(file_.get(), room));
  if (size > 0 || is_whole) return std::optional(size);
  // A writer that has just finished has renamed it before.
  if (has_writer || IsWhole()) return std::optional<size_t>();
  return IoError("the document did not arrive completely");
}

}  // namespace halftoned
