// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/document.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <cstdio>
#include <span>
#include <utility>

#include "printer_app/handover/spooled_document.h"

namespace halftoned {

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

std::string ClientDocument::Reference() const { return ReferenceTo(number_); }

Result<void> ClientDocument::BeginPages() {
  const std::string path = path_ + ".held";
  HALFTONED_TRY_ASSIGN(held_,
                       Descriptor::Open(path, O_RDWR | O_CREAT | O_EXCL, 0600));
  unlink(path.c_str());
  return {};
}

Result<void> ClientDocument::Release() {
  off_t at = 0;
  while (held_bytes_ > 0) {
    const ssize_t moved = sendfile(file_.get(), held_.get(), &at,
                                   static_cast<size_t>(held_bytes_));
    if (moved <= 0) return ErrnoError(ErrorCode::kIo, path_);
    held_bytes_ -= static_cast<uint64_t>(moved);
  }
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

}  // namespace halftoned
