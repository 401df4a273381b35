// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/handover/spooled_document.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <set>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

namespace halftoned {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDocument = "document-";
constexpr std::string_view kReference = "halftoned document ";
constexpr std::string_view kDigits = "0123456789abcdef";
constexpr size_t kNumberSize = 32;
constexpr size_t kFirstLine = kReference.size() + kNumberSize + 1;
constexpr size_t kMostReference = 1024;

// The start of the file; empty if it cannot be read.
std::string StartOf(const fs::path& file) {
  const auto opened = OpenSpooled(file);
  if (!opened.ok()) return "";
  char text[kMostReference + 1];
  const Result<size_t> size =
      ReadFully(opened->get(), std::as_writable_bytes(std::span(text)));
  return size.ok() ? std::string(text, *size) : "";
}

std::optional<std::string> NumberInFile(const fs::path& file) {
  return NumberIn(StartOf(file));
}

// A file, and its lock unless somebody else has locked it.
struct Locked {
  fs::path path;
  Descriptor lock;
};

// The writer of a document locks it soon after creating it.
bool MayBeNew(const fs::path& document) {
  constexpr auto kMostOfNew = std::chrono::minutes(10);
  std::error_code error;
  const auto written = fs::last_write_time(document, error);
  return document.extension() == kPart &&
         fs::file_time_type::clock::now() - written < kMostOfNew;
}

// Locks all documents that it can.
std::vector<Locked> LockDocuments(const std::string& spool) {
  std::vector<Locked> documents;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(spool, error)) {
    const fs::path& path = entry.path();
    if (!IsDocumentName(path.filename().string()) || MayBeNew(path)) {
      continue;
    }
    auto file = OpenSpooled(path);
    if (!file.ok()) continue;
    const bool is_locked = flock(file->get(), LOCK_EX | LOCK_NB) == 0;
    documents.push_back({path, is_locked ? std::move(*file) : Descriptor()});
  }
  return documents;
}

}  // namespace

Result<ArrivingDocument> ArrivingDocument::Open(const std::string& job_file) {
  std::string whole = DocumentOf(job_file);
  Result<Descriptor> file = OpenSpooled(whole);
  if (!file.ok()) file = OpenSpooled(whole + std::string(kPart));
  // The document may have become whole in between.
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
  // Asked before reading: if the document is whole now, all of its bytes have
  // arrived.
  const bool is_whole = IsWhole();
  const bool has_writer = is_whole || HasWriter();
  HALFTONED_TRY_ASSIGN(const size_t size, ReadFully(file_.get(), room));
  if (size > 0 || is_whole) return std::optional(size);
  // A writer that has just finished has renamed the file before.
  if (has_writer || IsWhole()) return std::optional<size_t>();
  return IoError("the document did not arrive completely");
}

Result<Descriptor> OpenSpooled(const std::string& path) {
  HALFTONED_TRY_ASSIGN(
      Descriptor file,
      Descriptor::Open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  struct stat status;
  if (fstat(file.get(), &status) != 0) return ErrnoError(ErrorCode::kIo, path);
  if (!S_ISREG(status.st_mode)) return BadInput(path + ": is not a file");
  return file;
}

std::string NewDocumentNumber() {
  unsigned char bytes[kNumberSize / 2];
  if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes)) return "";
  std::string number;
  for (const unsigned char byte : bytes) {
    number += kDigits[byte >> 4];
    number += kDigits[byte & 15];
  }
  return number;
}

std::string DocumentName(std::string_view number) {
  return std::string(kDocument).append(number);
}

bool IsDocumentName(std::string_view name) {
  if (name.ends_with(kPart)) name.remove_suffix(kPart.size());
  return name.starts_with(kDocument) &&
         name.size() == kDocument.size() + kNumberSize &&
         name.find_first_not_of(kDigits, kDocument.size()) == name.npos;
}

std::string ReferenceTo(std::string_view number, std::string_view owner) {
  std::string text = std::string(kReference).append(number).append("\n");
  if (!owner.empty()) text.append(owner).append("\n");
  return text;
}

std::optional<std::string> NumberIn(std::string_view reference) {
  if (reference.size() < kFirstLine || reference.size() > kMostReference ||
      !reference.starts_with(kReference) || reference[kFirstLine - 1] != '\n') {
    return std::nullopt;
  }
  const std::string_view owner = reference.substr(kFirstLine);
  if (!owner.empty() && owner.find('\n') != owner.size() - 1) {
    return std::nullopt;
  }
  const std::string_view number =
      reference.substr(kReference.size(), kNumberSize);
  if (number.find_first_not_of(kDigits) != number.npos) return std::nullopt;
  return std::string(number);
}

std::string OwnerOf(const std::string& job_file) {
  const std::string text = StartOf(job_file);
  if (!NumberIn(text) || text.size() == kFirstLine) return "";
  return text.substr(kFirstLine, text.size() - kFirstLine - 1);
}

std::string DocumentOf(const std::string& job_file) {
  const auto number = NumberInFile(job_file);
  if (!number) return job_file;
  return fs::path(job_file).replace_filename(DocumentName(*number));
}

bool HasDocument(const std::string& job_file) {
  const auto number = NumberInFile(job_file);
  return number && OpenSpooled(DocumentOf(job_file)).ok();
}

bool IsArriving(const std::string& job_file) {
  const std::string document = DocumentOf(job_file);
  std::error_code error;
  return document != job_file && !fs::exists(document, error) &&
         fs::exists(document + std::string(kPart), error);
}

void RemoveUnfinishedDocuments(const std::string& spool) {
  std::error_code error;
  std::vector<fs::path> parts;
  for (const auto& entry : fs::directory_iterator(spool, error)) {
    const fs::path& path = entry.path();
    if (IsDocumentName(path.filename().string()) && path.extension() == kPart) {
      parts.push_back(path);
    }
  }
  for (const fs::path& part : parts) fs::remove(part, error);
}

void RemoveDocument(const std::string& document) {
  if (document.empty()) return;
  unlink(document.c_str());
  const std::string part = document + std::string(kPart);
  const auto file = OpenSpooled(part);
  if (file.ok() && flock(file->get(), LOCK_EX | LOCK_NB) == 0) {
    unlink(part.c_str());
  }
}

bool RemoveForgottenDocuments(const std::string& spool) {
  // If a document can be locked now, then its job, if it has one, got it before
  // the jobs' files are read below.
  const std::vector<Locked> documents = LockDocuments(spool);
  if (documents.empty()) return true;
  std::set<std::string> used;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(spool, error)) {
    if (const auto number = NumberInFile(entry.path())) {
      used.insert(DocumentName(*number));
    }
  }
  bool are_all = true;
  for (const Locked& document : documents) {
    if (used.contains(document.path.filename())) continue;
    if (document.lock.open()) {
      fs::remove(document.path, error);
    } else {
      are_all &= document.path.extension() == kPart;
    }
  }
  return are_all;
}

}  // namespace halftoned
