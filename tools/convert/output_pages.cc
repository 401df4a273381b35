// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/output_pages.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "print/file/output_place.h"
#include "print/image/software.h"

namespace halftoned {
namespace {

// The existing file of this name; closed if there is no readable file. Ignores
// files that another user has put into a world-writable directory.
Descriptor OpenThere(const std::string& path, int64_t number) {
  const auto place = OutputPlace::Find(path);
  if (!place.ok()) return {};
  const std::string name =
      number == 0 ? place->name : NumberedName(place->name, number);
  Descriptor file(
      ::openat(place->folder->get(), name.c_str(),
               O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW));
  struct stat status;
  if (!file.open() || ::fstat(file.get(), &status) != 0) return {};
  const auto is_foreign = IsForeign(*place->folder, status);
  return is_foreign.ok() && !*is_foreign ? std::move(file) : Descriptor();
}

}  // namespace

Result<bool> OutputPages::KeepsFile(int64_t number) {
  if (options_.made_from.empty()) return false;
  const Descriptor file = OpenThere(path_, number);
  if (!file.open()) return false;
  const int64_t pages = PagesMadeBy(SoftwareText(options_), file.get());
  if (pages == 0 || (pages > 1 && !options_.has_many_pages)) return false;
  OutputRecord record{PathOf(number), pages, true, {}};
  if (options_.wants_digests) {
    HALFTONED_TRY_ASSIGN(record.digest, DigestOf(file.get()));
  }
  records_.push_back(std::move(record));
  return true;
}

Result<bool> OutputPages::KeepsAll() { return KeepsFile(0); }

Result<void> OutputPages::Open() {
  HALFTONED_TRY_ASSIGN(file_, OutputFile::Create(path_, pending_));
  writer_ = format_.make_writer(*file_, options_);
  pages_in_file_ = 0;
  return {};
}

// Only now is it known that there are several pages.
Result<void> OutputPages::ExpectSeveral() {
  if (options_.has_many_pages || is_numbered_) return {};
  if (!file_->is_seekable()) {
    return BadInput(
        "a " + std::string(format_.name) +
        " file contains one page; choose one with --pages, or write "
        "to a file");
  }
  is_numbered_ = true;
  if (pages_in_file_ > 0) return file_->Number(number_);
  return {};
}

Result<bool> OutputPages::Keeps(int64_t number) {
  if (options_.has_many_pages) return false;
  return KeepsFile(number);
}

Result<void> OutputPages::Begin(const BitPage& page, int64_t number) {
  if (pages_in_file_ > 0 && !options_.has_many_pages) {
    HALFTONED_TRY(Finish());
    HALFTONED_TRY(Open());
  }
  ++pages_in_file_;
  number_ = number;
  if (is_numbered_) HALFTONED_TRY(file_->Number(number));
  return writer_->Begin(page);
}

Result<void> OutputPages::Finish() {
  if (pages_in_file_ > 0) {
    HALFTONED_TRY(writer_->Finish());
    OutputRecord record{
        PathOf(is_numbered_ ? number_ : 0), pages_in_file_, false, {}};
    if (options_.wants_digests && file_->is_seekable()) {
      HALFTONED_TRY_ASSIGN(record.digest, DigestOf(file_->fd()));
    }
    // Once the file is in its place, nothing may fail for lack of memory.
    records_.reserve(records_.size() + 1);
    HALFTONED_TRY(file_->Commit());
    records_.push_back(std::move(record));
  }
  writer_.reset();
  file_.reset();
  return {};
}

}  // namespace halftoned
