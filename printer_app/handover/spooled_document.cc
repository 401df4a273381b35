// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/handover/spooled_document.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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

bool IsMissing(const Error& error) {
  return error.code == ErrorCode::kBadInput;
}

ErrorCode CodeOf(int error) {
  switch (error) {
    case ENOENT:
    case ELOOP:  // a link
    case ENXIO:  // a socket
      return ErrorCode::kBadInput;
    case EIO:
    case EBADMSG:
    case EUCLEAN:
      return ErrorCode::kIo;
    default:
      return ErrorCode::kUnavailable;
  }
}

// The start of the file; empty if there is no such file.
Result<std::string> StartOf(const std::string& file) {
  const auto opened = OpenSpooled(file);
  if (!opened.ok() && IsMissing(opened.error())) return std::string();
  if (!opened.ok()) return opened.error();
  char text[kMostReference + 1];
  const Result<size_t> size =
      ReadFully(opened->get(), std::as_writable_bytes(std::span(text)));
  if (!size.ok()) return IoError(file + ": " + size.error().message);
  return std::string(text, *size);
}

// Empty if it cannot be read.
std::string StartIfReadable(const std::string& file) {
  Result<std::string> start = StartOf(file);
  return start.ok() ? std::move(*start) : "";
}

struct FoundDocument {
  fs::path path;
  bool is_locked;
};

std::string PathOf(const std::string& number, const fs::path& job_file) {
  return fs::path(job_file).replace_filename(DocumentName(number));
}

// The writer of a document locks it soon after creating it.
bool MayBeNew(const fs::path& document) {
  constexpr auto kMostOfNew = std::chrono::minutes(10);
  std::error_code error;
  const auto written = fs::last_write_time(document, error);
  return document.extension() == kPart &&
         (error || fs::file_time_type::clock::now() - written < kMostOfNew);
}

// Opens one document at a time: there can be more documents than a process may
// open.
Result<std::vector<FoundDocument>> DocumentsAmong(
    const std::vector<fs::path>& files) {
  std::vector<FoundDocument> documents;
  for (const fs::path& path : files) {
    if (!IsDocumentName(path.filename().string()) || MayBeNew(path)) continue;
    const auto file = OpenSpooled(path);
    if (!file.ok() && IsMissing(file.error())) continue;
    if (!file.ok()) return file.error();
    const bool is_locked = flock(file->get(), LOCK_EX | LOCK_NB) != 0;
    documents.push_back({path, is_locked});
  }
  return documents;
}

}  // namespace

Result<ArrivingDocument> ArrivingDocument::Open(const std::string& job_file) {
  HALFTONED_TRY_ASSIGN(std::string whole, DocumentOf(job_file));
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
  Descriptor file(
      open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.open()) {
    return ErrnoError(CodeOf(errno), path);
  }
  struct stat status;
  if (fstat(file.get(), &status) != 0) return ErrnoError(ErrorCode::kIo, path);
  if (!S_ISREG(status.st_mode)) return BadInput(path + ": is not a file");
  return file;
}

Result<bool> IsSpooled(const std::string& path) {
  const auto file = OpenSpooled(path);
  if (!file.ok() && !IsMissing(file.error())) return file.error();
  return file.ok();
}

Result<std::vector<fs::path>> FilesIn(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    files.push_back(entry->path());
  }
  if (error) return IoError(folder + ": " + error.message());
  return files;
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
  const std::string text = StartIfReadable(job_file);
  if (!NumberIn(text) || text.size() == kFirstLine) return "";
  return text.substr(kFirstLine, text.size() - kFirstLine - 1);
}

Result<std::string> DocumentOf(const std::string& job_file) {
  HALFTONED_TRY_ASSIGN(const std::string start, StartOf(job_file));
  const auto number = NumberIn(start);
  return number ? PathOf(*number, job_file) : job_file;
}

bool HasDocument(const std::string& job_file) {
  const auto number = NumberIn(StartIfReadable(job_file));
  return number && OpenSpooled(PathOf(*number, job_file)).ok();
}

Result<std::optional<bool>> FindsDocument(const std::string& job_file) {
  HALFTONED_TRY_ASSIGN(const std::string start, StartOf(job_file));
  const auto number = NumberIn(start);
  if (!number) return std::optional<bool>();
  HALFTONED_TRY_ASSIGN(const bool is_there,
                       IsSpooled(PathOf(*number, job_file)));
  return std::optional(is_there);
}

bool IsArriving(const std::string& job_file) {
  const Result<std::string> document = DocumentOf(job_file);
  std::error_code error;
  return document.ok() && *document != job_file &&
         !fs::exists(*document, error) &&
         fs::exists(*document + std::string(kPart), error);
}

void RemoveUnfinishedDocuments(const std::string& spool) {
  const auto files = FilesIn(spool);
  if (!files.ok()) return;
  for (const fs::path& path : *files) {
    std::error_code error;
    if (IsDocumentName(path.filename().string()) && path.extension() == kPart) {
      fs::remove(path, error);
    }
  }
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

Result<bool> RemoveForgottenDocuments(const std::string& spool) {
  HALFTONED_TRY_ASSIGN(const auto files, FilesIn(spool));
  HALFTONED_TRY_ASSIGN(const auto documents, DocumentsAmong(files));
  if (documents.empty()) return true;
  // If a document was not locked above, then its job, if it has one, got it
  // before the jobs' files are found here. No job gets it later.
  HALFTONED_TRY_ASSIGN(const auto later, FilesIn(spool));
  std::set<std::string> used;
  for (const fs::path& path : later) {
    if (IsDocumentName(path.filename().string())) continue;
    HALFTONED_TRY_ASSIGN(const std::string start, StartOf(path));
    if (const auto number = NumberIn(start)) {
      used.insert(DocumentName(*number));
    }
  }
  bool are_all = true;
  for (const FoundDocument& document : documents) {
    if (used.contains(document.path.filename())) continue;
    std::error_code error;
    if (document.is_locked) {
      are_all &= document.path.extension() == kPart;
    } else {
      fs::remove(document.path, error);
    }
  }
  return are_all;
}

}  // namespace halftoned
