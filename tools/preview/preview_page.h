// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page that a preview shows, in memory: gray, one sample per printer dot.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "halftone/page/page.h"
#include "halftone/run/flow.h"
#include "halftone/run/pool.h"
#include "print/file/pending_files.h"

namespace halftoned {

struct PreviewPage {
  Page page;
  int32_t rows;      // rows in memory
  int64_t all_rows;  // rows of the whole page
  std::vector<std::byte> gray;
  std::string note;  // a note about the page in the preview; may be empty

  const std::byte* row(int32_t y) const {
    return gray.data() + static_cast<size_t>(y) * page.gray_bytes_per_row();
  }
};

struct PreviewOrder {
  std::string file;  // "-" is standard input
  int page;          // counted from 1
  double dots_per_inch_across;
  double dots_per_inch_down;
};

// Reads a page. If it is too large, reads only its upper rows. PDF and
// PostScript are drawn at the printer's resolution. Images that state their
// size are scaled to it; in others, each pixel is a dot. Errors begin with the
// file's name.
Result<PreviewPage> ReadPreviewPage(const PreviewOrder& order, Pool& pool,
                                    PendingFiles& pending);

// Reads the rows of the page.
class PreviewSource : public Source {
 public:
  explicit PreviewSource(const PreviewPage& page) : page_(page) {}
  Result<Filled> Read(GrayRoom room) override;

 private:
  const PreviewPage& page_;
  int32_t next_ = 0;
};

}  // namespace halftoned
