// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of an image: one file or, if it has several pages and each file
// holds only one, a numbered file for each page, such as page-003.png.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "print/file/digest.h"
#include "print/file/output_file.h"
#include "print/file/pending_files.h"
#include "print/image/image.h"
#include "print/image/open_image.h"

namespace halftoned {

// A complete output file.
struct OutputRecord {
  std::string path;
  int64_t pages = 0;
  bool is_kept = false;              // the file was there before
  std::optional<FileDigest> digest;  // none for a pipe, or if not wanted
};

class OutputPages : public Sink {
 public:
  struct Options : OutputOptions {
    bool has_many_pages = true;  // a file may hold several pages
    bool wants_digests = false;
  };

  // path, format and pending outlive this object.
  OutputPages(const std::string& path, const OutputFormat& format,
              Options options, PendingFiles& pending)
      : path_(path),
        format_(format),
        options_(std::move(options)),
        pending_(pending) {}

  // Whether the file of all pages exists already and is kept, so that there is
  // nothing to do. KeepsAll() and Keeps() depend on the source that the options
  // state: without a source, they return false.
  Result<bool> KeepsAll();

  // Creates the first file. Call it before the following functions.
  Result<void> Open();
  // Call it if the image has several pages, before any page except the first.
  Result<void> ExpectSeveral();
  // Whether the page's own file exists already and is kept.
  Result<bool> Keeps(int64_t number);
  // number: the page's number in the input. Puts each completed file in its
  // place.
  Result<void> Begin(const BitPage& page, int64_t number);
  Result<void> Write(const BitBand& bits) override {
    return writer_->Write(bits);
  }
  // Puts the last file in its place. There is no file if there were no pages.
  Result<void> Finish();

  std::vector<OutputRecord> TakeRecords() { return std::move(records_); }

 private:
  // Whether the file with this number exists, is complete, and was made from
  // the same source. If so, records it. 0: the file without a number.
  Result<bool> KeepsFile(int64_t number);
  std::string PathOf(int64_t number) const {
    return number == 0 ? path_ : NumberedName(path_, number);
  }

  const std::string& path_;
  const OutputFormat& format_;
  const Options options_;
  PendingFiles& pending_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<ImageWriter> writer_;
  int64_t number_ = 0;         // of the last page in the file
  int64_t pages_in_file_ = 0;  // pages that were begun
  bool is_numbered_ = false;
  std::vector<OutputRecord> records_;
};

}  // namespace halftoned
