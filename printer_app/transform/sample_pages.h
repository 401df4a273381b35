// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of samples of 8 bits to read: drawn by Ghostscript, or raster.

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_SAMPLE_PAGES_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_SAMPLE_PAGES_H_

#include <cups/raster.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "file/pending_files.h"
#include "printer_app/transform/page_form.h"

namespace halftoned {

class SamplePages {
 public:
  virtual ~SamplePages() = default;
  // The next page: front or back, with its own size. Nothing after the last.
  virtual Result<std::optional<cups_page_header2_t>> Next(
      const cups_page_header2_t& header) = 0;
  // The page's next row, of as many samples as it has: light or colours, and
  // ink of CMYK.
  virtual Result<void> Read(std::span<uint8_t> row) = 0;
};

// The pages of `document`, PDF whose pages have the form's paper. `pending`
// outlives them.
Result<std::unique_ptr<SamplePages>> DrawPages(const std::string& document,
                                               const PageForm& form,
                                               PendingFiles& pending);

Result<std::unique_ptr<SamplePages>> OpenRaster(const std::string& path);

// The header of a raster's first page.
Result<cups_page_header2_t> FirstHeader(const std::string& path);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_SAMPLE_PAGES_H_
