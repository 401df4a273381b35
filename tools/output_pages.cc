// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "output_pages.h"

#include <utility>

namespace halftoned {

Result<void> OutputPages::Open() {
  HALFTONED_TRY_ASSIGN(file_, OutputFile::Create(path_, pending_));
  writer_ = format_.make_writer(*file_, options_);
  return {};
}

Result<void> OutputPages::Begin(const BitPage& page, int64_t number) {
  if (last_number_ != 0 && !format_.has_pages) {
    HALFTONED_TRY(BeginNextFile(number));
  }
  last_number_ = number;
  return writer_->Begin(page);
}

// Only now it is known that the file before has not been the only one.
Result<void> OutputPages::BeginNextFile(int64_t number) {
  if (!file_->is_seekable()) {
    return BadInput("a " + std::string(format_.name) +
                    " file holds one page; choose one with --pages, or write "
                    "to a file");
  }
  if (!std::exchange(is_numbered_, true)) {
    HALFTONED_TRY(file_->Number(last_number_));
  }
  HALFTONED_TRY(Finish());
  HALFTONED_TRY(Open());
  return file_->Number(number);
}

Result<void> OutputPages::Finish() {
  HALFTONED_TRY(writer_->Finish());
  HALFTONED_TRY(file_->Commit());
  writer_.reset();
  file_.reset();
  return {};
}

}  // namespace halftoned
