// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/paged_document.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <span>

#include "printer_app/handover/spooled_document.h"

namespace halftoned {

Result<void> MoveBytes(int from, int to, uint64_t bytes) {
  constexpr uint64_t kPiece = 1 << 20;
  for (off_t at = 0; bytes > 0;) {
    const ssize_t moved =
        sendfile(to, from, &at, static_cast<size_t>(std::min(bytes, kPiece)));
    if (moved <= 0) return ErrnoError(ErrorCode::kIo, "raster page");
    bytes -= static_cast<uint64_t>(moved);
    fallocate(from, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, at);
  }
  return {};
}

Result<ClientDocument> ClientDocument::Begin(const std::string& spool) {
  std::string number = NewDocumentNumber();
  if (number.empty()) return IoError("the system has no random numbers");
  std::string path = (spool + '/' + DocumentName(number)).append(kPart);
  HALFTONED_TRY_ASSIGN(
      Descriptor file,
      Descriptor::Open(path, O_WRONLY | O_CREAT | O_EXCL, 0600));
  flock(file.get(), LOCK_SH);
  return ClientDocument(std::move(number), std::move(path), std::move(file));
}

ClientDocument::ClientDocument(ClientDocument&& other) noexcept
    : number_(other.number_),
      path_(std::exchange(other.path_, {})),
      file_(std::move(other.file_)),
      held_(std::move(other.held_)),
      held_bytes_(other.held_bytes_),
      size_(other.size_) {}

ClientDocument::~ClientDocument() {
  if (!path_.empty()) unlink(path_.c_str());
}

Result<void> ClientDocument::Append(std::string_view bytes) {
  if (size_ + bytes.size() > kMostBytes) {
    return BadInput("the document is larger than 4 GiB");
  }
  size_ += bytes.size();
  if (held_.open()) held_bytes_ += bytes.size();
  return WriteFully((held_.open() ? held_ : file_).get(),
                    std::as_bytes(std::span(bytes)));
}

std::string ClientDocument::Reference(std::string_view owner) const {
  return ReferenceTo(number_, owner);
}

Result<void> ClientDocument::BeginPages() {
  const std::string path = path_ + ".held";
  HALFTONED_TRY_ASSIGN(held_,
                       Descriptor::Open(path, O_RDWR | O_CREAT | O_EXCL, 0600));
  unlink(path.c_str());
  return {};
}

Result<void> ClientDocument::Release() {
  HALFTONED_TRY(MoveBytes(held_.get(), file_.get(), held_bytes_));
  held_bytes_ = 0;
  if (ftruncate(held_.get(), 0) != 0 || lseek(held_.get(), 0, SEEK_SET) != 0) {
    return ErrnoError(ErrorCode::kIo, path_);
  }
  return {};
}

Result<void> ClientDocument::Finish() {
  const std::string whole = path_.substr(0, path_.size() - kPart.size());
  if (std::rename(path_.c_str(), whole.c_str()) != 0) {
    return ErrnoError(ErrorCode::kIo, whole);
  }
  path_ = whole;
  return {};
}

Result<PagedDocument> PagedDocument::Begin(const std::string& spool,
                                           bool is_raster) {
  HALFTONED_TRY_ASSIGN(ClientDocument document, ClientDocument::Begin(spool));
  return PagedDocument(std::move(document), is_raster);
}

Result<bool> PagedDocument::Append(std::string_view bytes) {
  if (!is_raster_) {
    HALFTONED_TRY(document_.Append(bytes));
    return false;
  }
  const uint64_t before = pages_.complete();
  is_raster_ = pages_.Take(bytes);
  // Raster of other kinds is a document like any other.
  if (!is_raster_ && has_begun_) return BadInput(pages_.Fault());
  const size_t rest = static_cast<size_t>(pages_.unfinished());
  if (pages_.complete() == before || !is_raster_) {
    HALFTONED_TRY(document_.Append(bytes));
    return false;
  }
  const size_t whole = bytes.size() - rest;
  HALFTONED_TRY(document_.Append(bytes.substr(0, whole)));
  const bool is_first = !has_begun_;
  has_begun_ = true;
  HALFTONED_TRY(is_first ? document_.BeginPages() : document_.Release());
  HALFTONED_TRY(document_.Append(bytes.substr(whole)));
  return is_first;
}

Result<void> PagedDocument::Finish() {
  if (has_begun_ && pages_.is_within_page()) return BadInput(pages_.Fault());
  return document_.Finish();
}

}  // namespace halftoned
