// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of an image: one file, or, if it has several pages and the format
// holds one, a file for each, numbered as in page-003.png.

#ifndef HALFTONED_TOOLS_OUTPUT_PAGES_H_
#define HALFTONED_TOOLS_OUTPUT_PAGES_H_

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "file/output_file.h"
#include "file/pending_files.h"
#include "image/image.h"
#include "image/open_image.h"

namespace halftoned {

class OutputPages : public Sink {
 public:
  // All of them outlive this.
  OutputPages(const std::string& path, const OutputFormat& format,
              const OutputOptions& options, PendingFiles& pending)
      : path_(path), format_(format), options_(options), pending_(pending) {}

  // Creates the first file. It and the next two come first, in this order.
  Result<void> Open();
  // number: of the page in the input. A file that is whole is then in place.
  Result<void> Begin(const BitPage& page, int64_t number);
  Result<void> Write(const BitBand& bits) override {
    return writer_->Write(bits);
  }
  // The last file is then in place.
  Result<void> Finish();

 private:
  Result<void> BeginNextFile(int64_t number);

  const std::string& path_;
  const OutputFormat& format_;
  const OutputOptions& options_;
  PendingFiles& pending_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<ImageWriter> writer_;
  int64_t last_number_ = 0;  // of the page that was begun; 0: none
  bool is_numbered_ = false;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_OUTPUT_PAGES_H_
